--- Dates as `2026-11-24`, and the times of salons/availability.
local M = {}

---@return string
function M.today() return os.date('%Y-%m-%d') --[[@as string]] end

---@param date string
---@param days integer
---@return string
function M.plus(date, days)
  local year, month, day = date:match('(%d+)-(%d+)-(%d+)')
  -- At noon, a clock change does not lead to a different date.
  local noon = os.time({ year = year, month = month, day = day + days, hour = 12 })
  return os.date('%Y-%m-%d', noon) --[[@as string]]
end

--- Splits a start time such as `09:30`, `02:30+02:00`, or `09:30/10:15`.
---@param time string
---@return string clock `09:30`
---@return string offset `+02:00`, or empty
function M.split(time) return time:match('^(%d%d:%d%d)([+-]?[%d:]*)') end

--- The value of appointmentTime that books a start time.
---@param times novablend.Availability
---@param day novablend.Day
---@param time string
---@return string
function M.appointment_time(times, day, time)
  local clock, offset = M.split(time)
  if offset == '' and not times.timeZone then offset = day.offset or times.offset or '' end
  return day.date .. 'T' .. clock .. offset
end

return M
