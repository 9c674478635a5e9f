--- Texts about appointments and lists.
local M = {}

--- Cuts a text to a width in columns, and pads it.
---@param text string
---@param width integer
---@return string
function M.fit(text, width)
  text = text:gsub('%c', ' ')
  if vim.fn.strdisplaywidth(text) > width then
    local shorter, used = {}, 0
    for _, character in ipairs(vim.fn.split(text, '\\zs')) do
      used = used + vim.fn.strdisplaywidth(character)
      if used >= width then break end
      table.insert(shorter, character)
    end
    text = table.concat(shorter)
    if width > 0 then text = text .. '…' end
  end
  return text .. (' '):rep(width - vim.fn.strdisplaywidth(text))
end

--- Joins the parts that exist and are not empty.
---@param separator string
---@param ... string?
---@return string
function M.join(separator, ...)
  local parts = {}
  for index = 1, select('#', ...) do
    local part = select(index, ...)
    if part and part ~= '' then table.insert(parts, part) end
  end
  return table.concat(parts, separator)
end

--- Joins words to lines of at most a width.
---@param words string[]
---@param separator string
---@param width integer
---@return string[]
function M.wrap(words, separator, width)
  local lines, current = {}, ''
  for _, word in ipairs(words) do
    local longer = M.join(separator, current, word)
    if current ~= '' and vim.fn.strdisplaywidth(longer) > width then
      table.insert(lines, current)
      longer = word
    end
    current = longer
  end
  table.insert(lines, current)
  return lines
end

--- The name of a salon with its place, which tells it from another of the same name.
---@param salon { name: string?, location: string?, id: string? }
---@return string
function M.place(salon) return M.join(', ', salon.name or salon.id, salon.location) end

--- The date some days after another one.
---@param date string
---@param count integer
---@return string
function M.add_days(date, count)
  local year, month, day = date:match('(%d+)-(%d+)-(%d+)')
  -- At noon, a clock change does not lead to a different date.
  return os.date('%Y-%m-%d', os.time({ year = year, month = month, day = day + count, hour = 12 }))
end

--- A day, such as `Tue 2026-11-24`.
---@param day { date: string, weekday: string? }
---@return string
function M.day(day) return M.join(' ', (day.weekday or ''):sub(1, 3), day.date) end

--- The time of an appointment, such as `Tue 2026-11-24 10:00-11:30`, without an end that is not known.
---@param appointment novablend.Appointment
---@return string
function M.time(appointment)
  local date, time = appointment.start:match('^(.-)T(%d+:%d+)')
  local finish = appointment['end'] and appointment['end']:match('T(%d+:%d+)')
  return ('%s %s %s'):format(appointment.weekday:sub(1, 3), date, M.join('-', time, finish))
end

--- The time of a slot, such as `10:00-11:30`, with a `?` if it may be taken, and its date if past midnight.
---@param slot novablend.Slot
---@return string
function M.slot(slot)
  local date, start = slot.appointmentTime:match('^(.-)T(%d+:%d+)')
  local finish = slot['end'] and slot['end']:match('T(%d+:%d+)')
  local is_next_day = slot.openingDay and slot.openingDay ~= date
  local suffix = slot.state == 'unconfirmed' and '?' or ''
  return (is_next_day and date .. ' ' or '') .. M.join('-', start, finish) .. suffix
end

---@param seconds integer
---@return string
function M.age(seconds)
  if seconds < 120 then return seconds .. ' s' end
  if seconds < 7200 then return math.floor(seconds / 60) .. ' min' end
  if seconds < 172800 then return math.floor(seconds / 3600) .. ' h' end
  return math.floor(seconds / 86400) .. ' days'
end

--- What to know about where a list comes from; nil if it comes from the server.
---@param provenance novablend.Provenance?
---@return string?
function M.source(provenance)
  if not provenance then return nil end
  local parts = {}
  if provenance.source == 'cache' then
    table.insert(parts, ('From the cache, %s old.'):format(M.age(provenance.ageSeconds or 0)))
  end
  if provenance.serverError then table.insert(parts, 'Offline: ' .. provenance.serverError .. '.') end
  if provenance.warning then table.insert(parts, (provenance.warning:gsub('^%l', string.upper)) .. '.') end
  if provenance.complete == false then table.insert(parts, 'The list is incomplete.') end
  return parts[1] and (table.concat(parts, ' '):gsub('%.%.', '.'))
end

--- What is booked, such as `Color with Ana`.
---@param appointment novablend.Appointment
---@return string
function M.what(appointment)
  return M.join(' with ', appointment.service or appointment.serviceId, appointment.staff or appointment.staffId)
end

--- An appointment in one line.
---@param appointment novablend.Appointment
---@return string
function M.appointment(appointment)
  return M.join(', ', M.time(appointment), M.what(appointment), appointment.salonName, appointment.phone)
end

return M
