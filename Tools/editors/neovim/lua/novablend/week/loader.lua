--- Loads the free times and the appointments of a week.
local changes = require('novablend.changes')
local layout = require('novablend.week.layout')
local program = require('novablend.program')
local text = require('novablend.text')

local M = {}

local day_fields = { 'weekday', 'hours', 'reason', 'slots' }
local appointment_fields = {
  'version', 'salonId', 'start', 'end', 'weekday', 'phone', 'serviceId', 'staffId', 'staffAssigned', 'seats', 'service',
  'staff', 'own',
}

--- What is shown if something cannot be loaded: the changes of this editor that are in doubt, and those that were
--- shown before.
---@param session novablend.WeekSession
local function failed(session)
  local doubts, shown = changes.known_doubts(), {}
  for _, doubt in ipairs(doubts) do shown[doubt.key] = true end
  for _, doubt in ipairs(session.doubts) do
    if not shown[doubt.key] then table.insert(doubts, doubt) end
  end
  return { doubts = doubts }
end

--- Loads everything that the week shows, as members of its session.
---@param session novablend.WeekSession
---@return table?
---@return novablend.Problem?
function M.load(session)
  local found, problem = program.call('salons/get', { id = session.salon.id })
  if not found then return failed(session), problem end
  local count = layout.day_count()
  local range = { salonId = session.salon.id, start = session.start, days = count }
  local times, booked
  times, problem = program.call('salons/availability', vim.tbl_extend('error', range, {
    serviceId = session.service_id,
    staffId = session.staff_id,
    appointmentId = session.moving and session.moving.id,
    seats = session.moving and session.moving.seats,
    fields = day_fields,
  }))
  if not times then return failed(session), problem end
  -- What begins past midnight belongs to the day before.
  range.days = count + 1
  booked, problem = program.call('appointments/list', vim.tbl_extend('error', range, { fields = appointment_fields }))
  if not booked then return failed(session), problem end
  local appointments = vim.tbl_filter(function(appointment)
    return not session.staff_id or appointment.staffId == session.staff_id
  end, booked.appointments)
  local staff = vim.tbl_filter(function(member)
    return not session.staff_id or member.id == session.staff_id
  end, found.salon.staff or {})
  return {
    week = {
      days = times.days,
      count = count,
      appointments = appointments,
      staff = staff,
      shows_names = not session.staff_id,
      seats = found.salon.seats or 1,
    },
    zone = times.timeZone,
    notes = { text.source(booked.provenance) },
    doubts = changes.doubts(),
    salon = found.salon,
  }
end

return M
