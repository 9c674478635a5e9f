--- Asks for salons, services, staff members, times, and text. All functions run in a task and return nil
--- if the user chooses nothing.
local problems = require('novablend.problem')
local program = require('novablend.program')
local text = require('novablend.text')
local ui = require('novablend.ui')

local M = {}

--- How many days a choice of times has.
local day_count = 31

--- Asks for one of several items.
---@generic T
---@param prompt string
---@param items T[]
---@param format fun(item: T): string
---@return T?
function M.one(prompt, items, format)
  return ui.answer(function(callback)
    vim.ui.select(items, { prompt = prompt, format_item = format, kind = 'novablend' }, callback)
  end)
end

--- What a cancelled input returns, as Neovim 0.7 tells it from an empty one.
local cancelled = '\x18'

--- Asks for a text. It is empty if the user enters nothing.
---@param prompt string
---@param default? string
---@param completion? string
---@return string?
function M.input(prompt, default, completion)
  local answer = ui.answer(function(callback)
    local options = { prompt = prompt .. ': ', default = default or '', cancelreturn = cancelled }
    options.completion = completion
    -- Neovim 0.7 has nil for an empty text, too.
    vim.ui.input(options, function(entered) callback(entered or '') end)
  end)
  if not answer or answer == cancelled then return nil end
  -- Neovim writes the history of inputs to a file, where a phone number does not belong.
  if answer ~= '' and vim.fn.histget('@', -1) == answer then vim.fn.histdel('@', -1) end
  return vim.trim(answer)
end

--- Asks whether to do something.
---@param question string
---@param yes string
---@param no string
---@return boolean
function M.confirm(question, yes, no)
  return M.one(question, { yes, no }, function(choice) return choice end) == yes
end

---@param salon novablend.Salon
local function describe(salon) return text.join(', ', salon.name, salon.location, salon.hours) end

--- The name of a salon with its place, which tells it from another of the same name.
---@param salon { id: string, name: string? }
---@return string
function M.place(salon)
  local result = program.call('salons/get', { id = salon.id, policy = 'cacheFirst' })
  return text.place(result and result.salon or salon)
end

--- Asks for one of the salons, in a list, or by a part of its name or place.
---@return string? id or text
local function salon_text()
  local fields = { 'name', 'location', 'hours' }
  local result, problem = program.call('salons/list', { fields = fields }, 'loading the salons')
  if problem then return problems.show(problem) end
  local source = text.source(result.provenance)
  if #result.salons == 0 then return ui.notify(text.join('. ', 'there are no salons', source)) end
  local find = { name = 'Find by name or place' }
  local salon = M.one(text.join(' ', 'Salon', source), vim.list_extend({ find }, result.salons), describe)
  if salon ~= find then return salon and salon.id end
  require('novablend.salons').known = result.salons
  local typed = M.input('Part of the name or place', nil, "customlist,v:lua.require'novablend.salons'.complete")
  return typed ~= '' and typed or nil
end

--- The salon with this id or name, or one that the user chooses.
---@param name? string
---@return novablend.Salon?
function M.salon(name)
  name = name or salon_text()
  if not name then return nil end
  local result, problem = program.call('salons/get', { id = name }, 'loading the salon')
  if result then return result.salon end
  local candidates = problem.data.salons or {}
  if #candidates == 0 then return problems.show(problem) end
  local salon = M.one(('Salon that matches "%s"'):format(name), candidates, describe)
  return salon and M.salon(salon.id)
end

--- Asks for an item, or for none of them. Returns an empty table for none, also if there are no items, and nil
--- if the user cancels.
---@param prompt string
---@param items table[]
---@param none string
---@param format fun(item: table): string
---@return table?
local function optional(prompt, items, none, format)
  if #items == 0 then return {} end
  return M.one(prompt, vim.list_extend({ {} }, items), function(item)
    return item.id and format(item) or none
  end)
end

---@param service novablend.Service
---@return string
function M.describe_service(service)
  local price = service.price and service.price.text
  return ('%s (%s)'):format(service.name, text.join(', ', service.minutes .. ' min', price))
end

--- The item with an id.
---@generic T
---@param items T[]?
---@param id string?
---@return T?
function M.by_id(items, id)
  for _, item in ipairs(items or {}) do
    if item.id == id then return item end
  end
end

---@param salon novablend.Salon
---@return { id: string? }?
function M.service(salon)
  return optional('Service at ' .. text.place(salon), salon.services or {}, 'No particular service', M.describe_service)
end

--- The staff members who offer a service.
---@param salon novablend.Salon
---@param service_id? string
---@return novablend.StaffMember[]
function M.staff_of(salon, service_id)
  return vim.tbl_filter(function(member)
    return not service_id or not member.services or vim.tbl_contains(member.services, service_id)
  end, salon.staff or {})
end

---@param salon novablend.Salon
---@param service_id? string
---@return { id: string? }?
function M.member(salon, service_id)
  return optional('Staff at ' .. text.place(salon), M.staff_of(salon, service_id), 'Anyone who is free',
    function(member) return member.name end)
end

--- Asks for a day with free times, and for one of its times.
---@param params { salonId: string, serviceId: string?, staffId: string?, appointmentId: string? }
---@param place string the name of the salon with its place
---@return string? appointment_time
function M.time(params, place)
  local selection = { days = day_count, onlyFree = true, fields = { 'weekday', 'slots' } }
  selection = vim.tbl_extend('error', params, selection)
  local times, problem = program.call('salons/availability', selection, 'loading the free times')
  if problem then return problems.show(problem) end
  local days = vim.tbl_filter(function(day) return #day.slots > 0 end, times.days)
  if #days == 0 then return ui.notify(('no time is free at %s in the next %d days'):format(place, day_count)) end
  local prompt = text.join(' ', 'Day at', place, text.source(times.provenance))
  local day = M.one(prompt, days, function(day)
    return ('%s %s, %d free'):format(day.weekday:sub(1, 3), day.date, #day.slots)
  end)
  local slot = day and M.one(('Time on %s at %s'):format(day.date, place), day.slots, text.slot)
  return slot and slot.appointmentTime
end

return M
