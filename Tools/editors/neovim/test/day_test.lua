local support = require('support')
local test = _G.test

--- Opens the week of a salon, and goes to a text in it.
---@param salon string
---@param text string
local function open_week(salon, text)
  vim.o.columns, vim.o.lines = 120, 40
  vim.cmd('NovaBlend week ' .. salon)
  support.wait_for(text)
  support.go_to(text)
end

--- Books a cut with a staff member at the first free time of a day, as a different person.
local function book(member, time)
  support.run('book', 'Sol', time, '--service', 'cut', '--with', member, '--phone', '030 1234567')
end

--- The line of the grid that begins with a time.
local function row(clock)
  return support.screen():match('\n(' .. clock .. ' [^\n]*)')
end

test('a day has a column for each staff member, with who is free and what is booked', function()
  support.start()
  local time = support.free_time()
  book('ana', time)
  open_week('Sol', '○Cut')
  local program, calls = require('novablend.program'), {}
  local request = program.request
  program.request = function(method, ...)
    table.insert(calls, method)
    request(method, ...)
  end
  support.type('d')
  support.wait_for('Ana                       Bruno                     Carmen')
  assert(row(time:sub(-5)):find('^10:00 ○Cut +free *$'), row(time:sub(-5)))
  assert(row('10:30'):find('^10:30  free +free *$'), row('10:30'))
  support.wait_for(time:sub(1, 10) .. ' 10:00, Carmen, free')
  assert(#calls == 0, 'the day was loaded: ' .. vim.inspect(calls))
  support.type('d')
  support.wait_for(' to ')
  support.type('d')
  support.wait_for('Bruno')
  support.type('<Esc>')
  support.wait_for(' to ')
  support.type('<Esc>')
  support.wait('the week closes', function() return #vim.api.nvim_list_wins() == 1 end)
end)

test('in a day, a time is booked with the staff member of its column, and moved to another one', function()
  support.start()
  open_week('Sol', 'Ana, Carmen')
  support.type('d')
  support.wait_for('Bruno')
  support.answer('Service', 'Cut')
  support.answer('Phone', '030 1234567')
  support.answer('Peluquería Sol, Calle de Hortaleza 40, Madrid?', 'Book')
  support.type('ll')
  support.type('<CR>')
  support.wait_for_message('Booked ')
  support.wait_for('●Cut')
  support.go_to('●Cut')
  assert(row('10:00'):find('free +●Cut'), row('10:00'))
  support.type('m')
  support.wait_for('Moving ')
  support.wait_for('with Carmen')
  support.answer('Staff', 'Anyone')
  support.type('w')
  support.wait('the times are loaded', function()
    return support.screen():find('Ana    ', 1, true) and not support.screen():find('Loading…', 1, true)
  end)
  support.answer('Move to', 'Move')
  support.go_to(' free')
  support.type('<CR>')
  support.wait_for_message('with Ana, ')
  support.wait('it is in another column', function() return (row('10:00') or ''):find('^10:00 ●Cut +free') end)
  assert(support.booked() == 1)
end)

test('where there is no staff, a day has a column for each seat', function()
  support.start()
  local date = os.date('!%Y-%m-%d', os.time() + 2 * 86400)
  support.run('book', 'Night Owl', date .. 'T20:00', '--seats', '2', '--phone', '030 1234567')
  open_week('Night Owl', '○booked')
  support.type('d')
  support.wait_for('Seat 3')
  assert(row('20:00'):find('^20:00 ○booked +○booked +free *$'), row('20:00'))
  assert(row('20:30'):find('^20:30  free +free +free *$'), row('20:30'))
end)

test('the day before and after are shown, also those of other weeks', function()
  support.start()
  open_week('Sol', 'Ana, Carmen')
  local first = support.screen():match('\n(%d+-%d+-%d+) to ')
  support.type('d')
  support.wait_for('Bruno')
  local function shows(offset)
    local year, month, day = first:match('(%d+)-(%d+)-(%d+)')
    return os.date('%Y-%m-%d', os.time({ year = year, month = month, day = day + offset, hour = 12 }))
  end
  support.type('t')
  support.wait_for(shows(0) .. '  Europe/Madrid')
  support.type('[')
  support.wait_for(shows(-1) .. '  Europe/Madrid')
  support.type(']')
  support.wait_for(shows(0) .. '  Europe/Madrid')
  support.type(']')
  support.wait_for(shows(1) .. '  Europe/Madrid')
end)

test('on a narrow screen, a day says which columns it shows, and l shows others', function()
  support.start()
  open_week('Sol', 'Ana, Carmen')
  support.type('d')
  support.wait_for('Bruno')
  vim.o.columns = 24
  vim.cmd('doautocmd VimResized')
  support.wait_for('columns 1 to 2 of 3')
  for _, window in ipairs(vim.api.nvim_list_wins()) do assert(vim.api.nvim_win_get_width(window) <= 24) end
  support.type('ll')
  support.wait_for('columns 2 to 3 of 3')
  support.type('hh')
  support.wait_for('columns 1 to 2 of 3')
end)

test('several appointments of one time are opened, and one of them is cancelled', function()
  support.start()
  local time = support.free_time()
  for _, member in ipairs({ 'ana', 'carmen' }) do book(member, time) end
  open_week('Sol', '○Cut +1')
  support.answer('2 appointments at Peluquería Sol, Calle de Hortaleza 40, Madrid', 'Carmen')
  support.answer('Cut with Carmen', 'Cancel')
  support.answer('Cancel ', 'Cancel the appointment')
  support.type('<CR>')
  support.wait_for_message('Cancelled ')
  support.wait('one is left', function() return not support.screen():find('Cut +1', 1, true) end)
  assert(support.booked() == 1)
end)

--- A week of a salon that is open past midnight.
---@param appointments table[]
local function week_past_midnight(appointments)
  local function slot(time, day, state)
    return { appointmentTime = time .. ':00+00:00', ['end'] = nil, openingDay = day, state = state, free = 1 }
  end
  return {
    count = 1, staff = {}, seats = 1, shows_names = true, appointments = appointments,
    days = {
      { date = '2026-11-27', weekday = 'Friday', hours = '18:00-02:00',
        slots = { slot('2026-11-28T00:30', '2026-11-27', 'free') } },
      { date = '2026-11-28', weekday = 'Saturday', hours = '18:00-02:00',
        slots = { slot('2026-11-28T23:30', '2026-11-28', 'free'), slot('2026-11-29T00:00', '2026-11-28', 'taken'),
          slot('2026-11-29T01:00', '2026-11-28', 'free') } },
    },
  }
end

test('times and appointments past midnight are in the rows of the opening day, with their date', function()
  local Model, grid = require('novablend.week.model'), require('novablend.week.grid')
  local booked = {
    start = '2026-11-29T00:00:00+00:00', ['end'] = '2026-11-29T01:00:00+00:00', weekday = 'Sunday', own = true,
  }
  local week = week_past_midnight({ booked })
  local function lines(model, width)
    return vim.tbl_map(function(line) return (line[1]:gsub('%s+$', '')) end, (grid.lines(model, width)))
  end
  assert(vim.deep_equal(lines(Model.of_week(week, 7), 14), {
    '23:30                free', '00:00⁺              ●yours', '00:30⁺ free 11-28   │',
    '01:00⁺               free 11-29',
  }), vim.inspect(lines(Model.of_week(week, 7), 14)))
  assert(Model.of_week(week, 1).columns[1].id == '2026-11-28', 'the rest of the day before does not fit')
  local day = Model.of_day(week, '2026-11-28', 1, 9)
  local expected = { '23:30  free', '00:00⁺●yours', '01:00⁺ free 29' }
  assert(vim.deep_equal(lines(day, 10), expected), vim.inspect(lines(day, 10)))
  local cell = Model.cell(day, day.columns[1], '25:00')
  local description = require('novablend.week.cells').describe(cell, day.columns[1])
  assert(description[1] == '2026-11-29 01:00 (hours of Sat 2026-11-28), Seat 1, free', description[1])
end)

test('an appointment whose length is not known has no end, and takes the time of its start', function()
  local Model = require('novablend.week.model')
  local week = week_past_midnight({ { start = '2026-11-28T23:30:00+00:00', weekday = 'Saturday' } })
  local day = Model.of_day(week, '2026-11-28', 1, 9)
  assert(#Model.cell(day, day.columns[1], '23:30').starting == 1)
  assert(#Model.cell(day, day.columns[1], '24:00').running == 0)
  assert(require('novablend.text').appointment(week.appointments[1]) == 'Sat 2026-11-28 23:30')
end)
