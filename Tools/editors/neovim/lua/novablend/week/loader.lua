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
---@param session novablend.WeekSession
---@param range table
local function load_times(session, range)
  local staff = choose.staff_of(session.salon, session.service_id)
  if session.staff_id then staff = { choose.by_id(staff, session.staff_id) } end
  local params = { salonId = session.salon.id, serviceId = session.service_id }
  params = vim.tbl_extend('error', params, range)
  local bodies = vim.tbl_map(function(member)
    return function()
      local own = vim.tbl_extend('force', params, { staffId = member.id })
      local times, problem = program.call('salons/availability', own)
      return { times = times, problem = problem, staff = not session.staff_id and member.id and member or nil }
    end
  end, #staff > 0 and staff or { {} })
  local loaded = task.all(bodies)
  for _, each in ipairs(loaded) do
    if each.problem then return nil, each.problem end
  end
  return loaded
end

--- Loads everything that the week shows, as members of its session.
---@param session novablend.WeekSession
---@return table?
---@return novablend.Problem?
function M.load(session)
  local count = layout.day_count()
  -- Today on the salon's clock may be a day earlier or later than here.
  local is_today = session.start == 'today'
  local last = dates.plus(is_today and dates.today() or session.start, is_today and count or count - 1)
  local range = { start = session.start, ['end'] = last }
  local found, problem = program.call('salons/get', { id = session.salon.id })
  if not found then return nil, problem end
  local loaded
  loaded, problem = load_times(session, range)
  if not loaded then return nil, problem end
  local params = vim.tbl_extend('error', range, { salonId = session.salon.id, fields = fields })
  local booked
  booked, problem = program.call('appointments/list', params)
  if not booked then return nil, problem end
  local appointments = vim.tbl_filter(function(appointment)
    return not session.staff_id or appointment.staffId == session.staff_id
  end, booked.appointments)
  local times = loaded[1].times
  return {
    week = Model.new(loaded, appointments, count),
    zone = times.timeZone,
    notes = { text.source(booked.provenance, list.advice) },
    doubts = changes.doubts(),
    salon = found.salon,
  }
end

return M
