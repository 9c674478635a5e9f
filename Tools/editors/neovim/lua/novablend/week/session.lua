--- What a week or a day shows, and how it is loaded.
local Model = require('novablend.week.model')
local View = require('novablend.week.view')
local choose = require('novablend.choose')
local layout = require('novablend.week.layout')
local loader = require('novablend.week.loader')
local problems = require('novablend.problem')
local task = require('novablend.task')
local text = require('novablend.text')
local ui = require('novablend.ui')

---@class novablend.WeekSession
---@field view novablend.View
---@field actions novablend.Action[]
---@field salon novablend.Salon
---@field start string a date, or today
---@field day? string the date whose staff or seats are shown instead of the week; first for the first day
---@field first integer the first column that a day shows
---@field service_id? string
---@field staff_id? string
---@field moving? novablend.Appointment the appointment that gets a new time
---@field week? novablend.Week
---@field zone? string
---@field notes string[] what to know about the lists
---@field problem? novablend.Problem why the week could not be loaded
---@field doubts novablend.Doubt[]
---@field is_stale? boolean whether the times shown are not yet those of the chosen days and options
---@field is_loading? boolean
---@field loads integer
local Session = {}
Session.__index = Session

---@param salon novablend.Salon
---@param start string
---@param actions novablend.Action[]
---@return novablend.WeekSession
function Session.new(salon, start, actions)
  return setmetatable({
    view = View.open(), actions = actions, salon = salon, start = start, first = 1, notes = {}, doubts = {}, loads = 0,
  }, Session)
end

--- The day that is shown instead of the week.
---@return novablend.Day?
function Session:shown_day()
  local days = self.week and self.week.days or {}
  if not self.day or #days == 0 then return nil end
  for _, day in ipairs(days) do
    if day.date == self.day then return day end
  end
  return days[1]
end

--- What the view shows in columns.
---@return novablend.Grid?
function Session:grid()
  local day = self:shown_day()
  if not self.week then return nil end
  if not day then return Model.of_week(self.week, layout.column_count()) end
  return Model.of_day(self.week, day.date, self.first, layout.column_count())
end

--- The text below the name of the salon: the days, and what the free times are for.
---@param grid? novablend.Grid
---@return string[]
function Session:subtitle(grid)
  local columns, day = grid and grid.columns or {}, self:shown_day()
  local range = columns[1] and columns[1].day.date .. ' to ' .. columns[#columns].day.date
  local service = choose.by_id(self.salon.services, self.service_id)
  local member = choose.by_id(self.salon.staff, self.staff_id)
  local parts = { day and text.day(day) or range or '', self.zone or '' }
  if service then table.insert(parts, choose.describe_service(service)) end
  if member then table.insert(parts, 'with ' .. member.name) end
  if grid and (grid.left_out or 0) > 0 then
    local last = self.first + #grid.columns - 1
    table.insert(parts, ('columns %d to %d of %d, h and l show others'):format(self.first, last,
      grid.left_out + layout.column_count()))
  end
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
    local sentence = ('IN DOUBT: %s. r finds out; do not repeat it. Its key is %s.'):format(doubt.title, doubt.key)
    table.insert(lines, { sentence, 'Warning' })
  end
  for _, note in ipairs(self.notes) do table.insert(lines, { note, 'Warning' }) end
  if self.problem then table.insert(lines, { problems.text(self.problem), 'Error' }) end
  return lines
end

---@param focus? string the column to which the cursor goes, if its own column is not shown any more
function Session:render(focus)
  if not self.view:is_open() then return end
  local grid = self:grid()
  local keys = ui.labels(self.view.grid.buffer, 'week', self.actions)
  self.view:render({
    title = text.place(self.salon) .. (self.is_loading and '  Loading…' or ''),
    subtitle = self:subtitle(grid),
    grid = grid,
    status = self:status(),
    keys = vim.list_extend(keys, { '● yours', '○ booked' }),
    focus = focus,
  })
end

--- Loads everything again. Until it is there, what was loaded before is shown.
function Session:reload()
  self.loads, self.is_loading = self.loads + 1, true
  local number = self.loads
  self:render()
  task.run(function()
    local fetched, problem = loader.load(self)
    if number ~= self.loads then return end
    self.problem, self.is_loading = problem, false
    self.is_stale = self.is_stale and problem ~= nil
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
  self:reload()
end

--- Shows the week, or the staff or the seats of a day in it. Both are loaded.
---@param date? string
function Session:show_day(date)
  local day = self:shown_day()
  self.day, self.first = date, 1
  self:render(date and '' or day and day.date)
end

--- Shows the days before or after those that are shown.
---@param by integer
function Session:turn(by)
  if not self.week then return end
  local days, day = self.week.days, self:shown_day()
  -- The week can begin with the rest of the hours of the day before.
  local first, last = text.add_days(days[#days].date, 1 - self.week.count), days[#days].date
  if not day then return self:show({ start = text.add_days(first, by * layout.day_count()) }) end
  local date = text.add_days(day.date, by)
  if date >= first and date <= last then return self:show_day(date) end
  self:show({ day = date, first = 1, start = by > 0 and date or text.add_days(date, 1 - layout.day_count()) })
end

--- Moves the cursor to a column next to it; beyond the edge, to other days, or to other columns of the day.
---@param by integer
function Session:move_column(by)
  if self.view:move_column(by) then return end
  if not self.day then return self:turn(by) end
  local grid = self.view.shown.grid
  local last = 1 + (grid and grid.left_out or 0)
  self.first = math.max(1, math.min(last, self.first + by))
  self:render()
  self.view:move_column(by)
end

--- The cell under the cursor, and its column; nil while the times of a changed choice are being loaded.
---@return novablend.Cell?
---@return novablend.Column?
function Session:selected()
  if not self.is_stale then return self.view:selected() end
  ui.notify(self.is_loading and 'the times are being loaded' or 'the times could not be loaded; R tries again')
end

return Session
