--- Loads the free times and the appointments of a week.
local Model = require('novablend.week.model')
local changes = require('novablend.changes')
local choose = require('novablend.choose')
local dates = require('novablend.dates')
local layout = require('novablend.week.layout')
local list = require('novablend.list')
local program = require('novablend.program')
local task = require('novablend.task')
local text = require('novablend.text')

local M = {}

local fields = {
  'version', 'status', 'salonId', 'appointmentTime', 'phone', 'serviceId', 'staffId', 'staffAssigned', 'when',
  'service', 'staff', 'own',
}

--- The free times of each staff member who offers the service, or of the salon.
---@param state novablend.WeekState
---@param range table
local function load_times(state, range)
  local staff = choose.staff_of(state.salon, state.service_id)
  if state.staff_id then staff = { choose.by_id(staff, state.staff_id) } end
  local params = { salonId = state.salon.id, serviceId = state.service_id }
  params = vim.tbl_extend('error', params, range)
  local bodies = vim.tbl_map(function(member)
    return function()
      local own = vim.tbl_extend('force', params, { staffId = member.id })
      local times, problem = program.call('salons/availability', own)
      return { times = times, problem = problem, staff = not state.staff_id and member.id and member or nil }
    end
  end, #staff > 0 and staff or { {} })
  local loaded = task.all(bodies)
  for _, each in ipairs(loaded) do
    if each.problem then return nil, each.problem end
  end
  return loaded
end

--- Loads everything that the week shows, as members of its state.
---@param state novablend.WeekState
---@return table?
---@return novablend.Problem?
function M.load(state)
  local count = layout.day_count()
  -- Today on the salon's clock may be a day earlier or later than here.
  local is_today = state.start == 'today'
  local last = dates.plus(is_today and dates.today() or state.start, is_today and count or count - 1)
  local range = { start = state.start, ['end'] = last }
  local found, problem = program.call('salons/get', { id = state.salon.id })
  if not found then return nil, problem end
  local loaded
  loaded, problem = load_times(state, range)
  if not loaded then return nil, problem end
  local params = vim.tbl_extend('error', range, { salonId = state.salon.id, fields = fields })
  local booked
  booked, problem = program.call('appointments/list', params)
  if not booked then return nil, problem end
  local appointments = vim.tbl_filter(function(appointment)
    return not state.staff_id or appointment.staffId == state.staff_id
  end, booked.appointments)
  local times = loaded[1].times
  return {
    week = Model.new(loaded, appointments, count),
    now = times.now:sub(1, 10),
    zone = times.timeZone,
    notes = { text.source(booked.provenance, list.advice) },
    doubts = changes.doubts(),
    salon = found.salon,
  }
end

return M
