--- Loads the free times and the appointments of a week.
local Model = require('novablend.week.model')
local changes = require('novablend.changes')
local layout = require('novablend.week.layout')
local program = require('novablend.program')
local text = require('novablend.text')

local M = {}

local day_fields = { 'weekday', 'hours', 'reason', 'slots' }
local appointment_fields = {
  'version', 'salonId', 'appointmentTime', 'phone', 'serviceId', 'staffId', 'staffAssigned', 'seats', 'when',
  'service', 'staff', 'own',
}

--- Loads everything that the week shows, as members of its session.
---@param session novablend.WeekSession
---@return table?
---@return novablend.Problem?
function M.load(session)
  local found, problem = program.call('salons/get', { id = session.salon.id })
  if not found then return nil, problem end
  local range = { salonId = session.salon.id, start = session.start, days = layout.day_count() }
  local times, booked
  times, problem = program.call('salons/availability', vim.tbl_extend('error', range, {
    serviceId = session.service_id,
    staffId = session.staff_id,
    appointmentId = session.moving and session.moving.id,
    seats = session.moving and session.moving.seats,
    fields = day_fields,
  }))
  if not times then return nil, problem end
  booked, problem = program.call('appointments/list', vim.tbl_extend('error', range, { fields = appointment_fields }))
  if not booked then return nil, problem end
  local appointments = vim.tbl_filter(function(appointment)
    return not session.staff_id or appointment.staffId == session.staff_id
  end, booked.appointments)
  -- If one staff member was chosen, the names of free staff members are not shown.
  local staff = not session.staff_id and found.salon.staff or {}
  return {
    week = Model.new(times.days, staff, appointments),
    zone = times.timeZone,
    notes = { text.source(booked.provenance) },
    doubts = changes.doubts(),
    salon = found.salon,
  }
end

return M
