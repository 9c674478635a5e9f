local support = require('support')
local test = _G.test

--- Opens the week of a salon with staff and services.
local function open_week()
  support.start()
  vim.cmd('NovaBlend week Peluquería Sol')
  support.wait_for('free')
end

test('a week shows who is free, and what is booked', function()
  support.start()
  local time = support.free_time()
  support.run('book', 'Sol', time, '--service', 'color', '--with', 'ana', '--phone', '030 1234567')
  vim.o.columns = 120
  vim.cmd('NovaBlend week Peluquería Sol')
  support.wait_for('○Color  Carmen')
  support.wait_for('│Ana    Carmen')
  support.wait_for('closed')
end)

test('a week fits on a narrow screen, and on a very narrow one', function()
  for _, columns in ipairs({ 60, 30 }) do
    vim.o.columns = columns
    if columns == 60 then open_week() else vim.cmd('doautocmd VimResized') end
    local days = columns == 60 and 7 or 3
    support.wait('the days fit', function()
      local _, count = support.screen():gsub('%f[%a]%a%a%a %d%d%f[%D]', '')
      return count == days
    end)
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      assert(vim.api.nvim_win_get_width(window) <= columns)
    end
  end
end)

test('a service and a staff member are chosen by keys', function()
  open_week()
  support.answer('Service', 'Color')
  support.type('s')
  support.wait_for('Color (90 min, 52.00 EUR)')
  support.answer('Staff', 'Carmen')
  support.type('w')
  support.wait_for('with Carmen')
  assert(support.questions[2] == 'Staff at Peluquería Sol, Calle de Hortaleza 40, Madrid')
end)

test('a time is booked, moved, and cancelled by keys', function()
  vim.o.columns = 120
  open_week()
  support.answer('Service', 'Color')
  support.answer('Staff', 'Carmen')
  support.answer('Phone', '030 1234567')
  support.answer('Book ', 'Book')
  support.go_to('Ana, Carmen')
  support.type('b')
  support.wait_for_message('Booked ')
  support.wait_for('●Color')
  support.go_to('●Color')
  support.type('m')
  support.wait_for('with Carmen')
  support.wait('the times of the service are loaded', function() return not support.screen():find('19:30', 1, true) end)
  support.answer('Move to', 'Move')
  support.go_to(' free')
  support.type('<CR>')
  support.wait_for_message('Moved to')
  support.wait('the mode ends', function() return not support.screen():find('Moving ', 1, true) end)
  support.wait_for('19:30')
  support.go_to('●Color')
  support.answer('Cancel ', 'Cancel the appointment')
  support.type('x')
  support.wait_for_message('Cancelled ')
  support.wait('it is gone', function() return not support.screen():find('●Color', 1, true) end)
  assert(support.booked() == 0)
end)

test('an appointment is moved by half an hour, to a time that it partly takes', function()
  vim.o.columns = 120
  support.start()
  local options = { '--service', 'color', '--with', 'ana', '--phone', '030 1234567' }
  support.run('book', 'Sol', support.free_time(), unpack(options))
  vim.cmd('NovaBlend week Peluquería Sol')
  support.wait_for('○Color  Carmen')
  support.go_to('○Color')
  support.type('m')
  support.wait_for('○Color  free')
  support.answer('Move to', 'Move')
  support.go_to('│Ana    free')
  support.type('<CR>')
  support.wait_for_message('10:30-12:00')
  assert(support.messages[1]:find('Moved to', 1, true), support.messages[1])
  assert(support.booked() == 1)
end)

test('if no staff member is chosen, a booking asks no other question', function()
  vim.o.columns = 120
  open_week()
  support.answer('Service', 'Cut')
  support.answer('Staff', nil)
  support.go_to('Ana, Carmen')
  support.type('b')
  support.wait('the staff is asked for', function() return #support.questions == 2 end)
  support.answer('Service', nil)
  support.type('s')
  support.wait('a question follows', function() return #support.questions == 3 end)
  assert(support.questions[3]:find('Service at', 1, true))
end)

test('a booking of someone else appears by itself', function()
  vim.o.columns = 120
  open_week()
  support.run('book', 'Sol', support.free_time(), '--service', 'color', '--phone', '030 1234567')
  support.wait_for('○Color')
end)

test('both windows of a week close together', function()
  open_week()
  support.type('q')
  support.wait('both windows close', function() return #vim.api.nvim_list_wins() == 1 end)
end)
