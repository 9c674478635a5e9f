--- What a week shows, and how it is loaded.
local View = require('novablend.week.view')
local choose = require('novablend.choose')
local layout = require('novablend.week.layout')
local loader = require('novablend.week.loader')
local problems = require('novablend.problem')
local task = require('novablend.task')
local text = require('novablend.text')

---@class novablend.WeekSession
---@field view novablend.View
---@field salon novablend.Salon
---@field start string a date, or today
---@field service_id? string
---@field staff_id? string
---@field moving? novablend.Appointment the appointment that gets a new time
---@field week? novablend.Week
---@field zone? string
---@field notes string[] what to know about the lists
---@field problem? novablend.Problem why the week could not be loaded
---@field doubts novablend.Doubt[]
---@field is_stale? boolean whether the times shown are not yet those of the chosen days and options
---@field loads integer
local Session = {}
Session.__index = Session

local keys = {
  'b book', 'm move', 'x cancel', 's service', 'w staff', '[ ] other days', 't today', 'r resolve', 'R reload',
  'q close', '● yours', '○ booked',
}

---@param salon novablend.Salon
---@param start string
---@return novablend.WeekSession
function Session.new(salon, start)
  local session = { view = View.open(), salon = salon, start = start, notes = {}, doubts = {}, loads = 0 }
  return setmetatable(session, Session)
end

--- The text below the name of the salon: the days, and what the free times are for.
---@return string[]
function Session:subtitle()
  local days = self.week and self.week.days or {}
  local range = days[1] and days[1].date .. ' to ' .. days[#days].date
  local service = choose.by_id(self.salon.services, self.service_id)
  local member = choose.by_id(self.salon.staff, self.staff_id)
  local parts = { range or '', self.zone or '' }
  if service then table.insert(parts, choose.describe_service(service)) end
  if member then table.insert(parts, 'with ' .. member.name) end
  return parts
end

---@return { [1]: string, [2]: string }[] texts and highlight groups
function Session:status()
  local lines = {}
  if self.moving then
    local name = text.appointment(self.moving)
    table.insert(lines, { ('Moving %s: Enter on a free time, Esc to keep it'):format(name), 'Warning' })
  end
  for _, doubt in ipairs(self.doubts) do
    table.insert(lines, { ('IN DOUBT: %s. r finds out; do not repeat it.'):format(doubt.title), 'Warning' })
  end
  for _, note in ipairs(self.notes) do table.insert(lines, { note, 'Warning' }) end
  if self.problem then table.insert(lines, { problems.text(self.problem), 'Error' }) end
  if not self.week and not self.problem then table.insert(lines, { 'Loading…', 'Dim' }) end
  return lines
end

function Session:render()
  self.view:render({
    title = text.join(', ', self.salon.name, self.salon.location),
    subtitle = self:subtitle(),
    week = self.week,
    status = self:status(),
    keys = keys,
  })
end

--- Loads everything again.
function Session:reload()
  self.loads = self.loads + 1
  local number = self.loads
  task.run(function()
    local fetched, problem = loader.load(self)
    if number ~= self.loads then return end
    self.is_stale, self.problem = false, problem
    for name, value in pairs(fetched or {}) do self[name] = value end
    self:render()
  end)
end

--- Changes what is shown. A member whose new value is vim.NIL is removed.
---@param values table<string, any>
function Session:show(values)
  for name, value in pairs(values) do
    if value == vim.NIL then value = nil end
    self[name] = value
  end
  self.is_stale = true
  self:render()
  self:reload()
end

--- Shows the days before or after those that are shown.
---@param by integer
function Session:turn(by)
  if not self.week then return end
  local year, month, day = self.week.days[1].date:match('(%d+)-(%d+)-(%d+)')
  -- At noon, a clock change does not lead to a different date.
  local noon = os.time({ year = year, month = month, day = day + by * layout.day_count(), hour = 12 })
  self:show({ start = os.date('%Y-%m-%d', noon) })
end

--- The cell under the cursor; nil while the times of a changed choice are being loaded.
---@return novablend.Cell?
function Session:selected()
  if not self.is_stale then return (self.view:selected()) end
  vim.notify('NovaBlend: the times are being loaded')
end

return Session
