local support = require('support')
local test = _G.test
local uv = vim.uv or vim.loop

--- Starts to book in the week, up to the request.
local function start_booking()
  vim.cmd('NovaBlend week Peluquería Sol')
  support.wait_for('free')
  support.go_to('Ana, Carmen')
  support.answer('Service', 'Cut')
  support.answer('Staff', 'Ana')
  support.answer('Phone', '030 1234567')
  support.answer('Book ', 'Book')
  support.type('b')
end

--- Ends the program after the request to book has come to the gateway.
local function kill_while_booking(withheld)
  vim.o.columns = 120
  support.start()
  support.gateway.withholds = withheld
  start_booking()
  support.wait('the request is withheld', function() return support.gateway.withheld > 0 end)
  support.kill_program()
  support.gateway.withholds = nil
  support.wait_for_message('IN DOUBT: booking, ')
end

--- Uses a script instead of the program, and returns its path.
local function use_script(script)
  local program = support.directory .. '/novablend'
  local file = assert(io.open(program, 'w'))
  file:write(script)
  file:close()
  uv.fs_chmod(program, 493)
  require('novablend').setup({ program = program })
  return program
end

--- A program that never answers.
local silent_program = '#!/bin/sh\nexec sleep 600\n'

--- Lets the program stop answering after the request to book has come to the gateway.
---@param next_program? string what is started after it
local function hang_while_booking(next_program)
  vim.o.columns = 120
  support.start()
  support.gateway.withholds = 'request'
  start_booking()
  require('novablend').setup({ timeout = 5 })
  support.wait('the request is withheld', function() return support.gateway.withheld > 0 end)
  if next_program then use_script(next_program) end
  uv.kill(require('novablend.program').pid(), 'sigstop')
  support.wait_for_message('IN DOUBT: booking, ')
  support.wait_for_message('the program did not answer within 5 s')
end

test('a booking to which the program does not answer is in doubt, and its key is shown', function()
  hang_while_booking()
  local key = table.concat(support.messages, '\n'):match('Its key is (nvim%-%x+)')
  support.wait_for_message('the server does not show it yet')
  support.wait_for(key)
  vim.cmd('NovaBlend appointments')
  support.wait_for('IN DOUBT  booking, ')
  support.wait_for('Its key is ' .. key)
  assert(support.gateway.changes == 1, 'it was sent again')
end)

test('a booking is in doubt also if the program that is started to find out does not answer either', function()
  hang_while_booking(silent_program)
  support.wait_for('IN DOUBT: booking, ')
  support.wait_for('The program did not answer within 5 s')
  vim.cmd('NovaBlend appointments')
  support.wait_for('IN DOUBT  booking, ')
  support.wait_for('Its key is nvim-')
  assert(support.gateway.changes == 1, 'it was sent again')
end)

test('all that waits for a program that never answers ends with an error', function()
  support.start()
  use_script(silent_program)
  require('novablend').setup({ timeout = 1 })
  for _, name in ipairs({ 'salons', 'appointments', 'watch' }) do
    vim.cmd('NovaBlend ' .. name)
    support.wait_for('The program did not answer within 1 s. Repeat the command')
    vim.cmd('bwipeout')
  end
  for _, name in ipairs({ 'week Sol', 'week', 'book' }) do
    support.messages = {}
    vim.cmd('NovaBlend restart')
    vim.cmd('NovaBlend ' .. name)
    support.wait_for_message('The program did not answer within 1 s')
  end
  vim.cmd('NovaBlend restart')
  vim.cmd('checkhealth novablend')
  support.wait_for('The program did not answer within 1 s')
  support.wait_for('novablend doctor did not end within 1 s')
end)

test('a booking that was made before the program was killed is reported', function()
  kill_while_booking('response')
  support.wait_for_message('NovaBlend: Booked: ')
  support.wait_for('●Cut')
  assert(support.gateway.changes == 1, 'it was sent again')
  assert(support.booked() == 1)
end)

test('a booking that may be on its way stays in doubt, and is not sent again', function()
  kill_while_booking('request')
  support.wait_for('IN DOUBT: booking, ')
  vim.cmd('NovaBlend appointments')
  support.wait_for('IN DOUBT  booking, ')
  support.messages = {}
  support.type('r')
  support.wait_for_message('the server does not show it yet')
  assert(support.gateway.changes == 1, 'it was sent again')
  support.go_to('IN DOUBT')
  support.answer('Stop asking', 'Discard')
  support.type('D')
  support.wait_for_message('Not booked: ')
  support.wait('nothing is in doubt', function() return not support.screen():find('IN DOUBT', 1, true) end)
  assert(support.booked() == 0)
end)

test('a cancellation that was made before the program was killed is reported', function()
  vim.o.columns = 120
  support.start()
  start_booking()
  support.wait_for('●Cut')
  support.gateway.withholds = 'response'
  support.go_to('●Cut')
  support.answer('Cancel ', 'Cancel the appointment')
  support.type('x')
  support.wait('the response is withheld', function() return support.gateway.withheld > 0 end)
  support.kill_program()
  support.gateway.withholds = nil
  support.wait_for_message('IN DOUBT: cancellation, ')
  support.wait_for_message('NovaBlend: Cancelled: ')
  support.wait('it is gone', function() return not support.screen():find('●Cut', 1, true) end)
  assert(support.gateway.changes == 2, 'it was sent again')
  assert(support.booked() == 0)
end)

test('a booking whose response is lost is in doubt until the server can be asked', function()
  vim.o.columns = 120
  support.start()
  support.gateway.withholds = 'response'
  start_booking()
  support.wait('the response is withheld', function() return support.gateway.withheld > 0 end)
  support.backend.stop()
  support.wait_for_message('IN DOUBT: booking, ')
  support.gateway.withholds = nil
  support.restart_backend()
  support.wait_for('IN DOUBT: booking, ')
  support.type('r')
  support.wait_for_message('NovaBlend: Booked: ')
  support.wait_for('●Cut')
  assert(support.booked() == 1)
end)

test('what a different process left in doubt is shown', function()
  support.start()
  support.gateway.withholds = 'request'
  local command = { support.binaries .. '/novablend', 'book', 'Sol', support.free_time(), '--phone', '030 1234567' }
  local job = vim.fn.jobstart(vim.list_extend(command, support.arguments(support.gateway.url)))
  support.wait('the request is withheld', function() return support.gateway.withheld > 0 end)
  uv.kill(vim.fn.jobpid(job), 'sigkill')
  support.gateway.withholds = nil
  vim.cmd('NovaBlend appointments')
  support.wait_for('IN DOUBT  booking, ')
  support.type('r')
  support.wait_for_message('the server does not show it yet')
end)

test('an idle program that was killed is started again', function()
  support.start()
  vim.cmd('NovaBlend week Peluquería Sol')
  support.wait_for('free')
  local old = require('novablend.program').pid()
  support.kill_program()
  support.wait('a different process runs', function()
    local pid = require('novablend.program').pid()
    return pid and pid ~= old
  end)
  support.run('book', 'Sol', support.free_time(), '--service', 'cut', '--phone', '030 1234567')
  support.wait_for('○')
end)

test('a missing program is reported, and found when it is there', function()
  support.start()
  local program = support.directory .. '/novablend'
  require('novablend').setup({ program = program })
  vim.cmd('NovaBlend salons')
  support.wait_for(('The program "%s" was not found. Install it'):format(program))
  assert(uv.fs_symlink(support.binaries .. '/novablend', program))
  support.type('R')
  support.wait_for('Night Owl Barbers')
end)

--- A program without methods.
local old_program = [[#!/bin/sh
while read -r line; do
  id=${line##*\"id\":} id=${id%%[,\}]*}
  printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\n' "$id"
done
]]

test('a program that is too old is reported, and its update is used', function()
  support.start()
  local program = use_script(old_program)
  vim.cmd('NovaBlend salons')
  support.wait_for('has no method salons/list. Update the program')
  os.remove(program)
  assert(uv.fs_symlink(support.binaries .. '/novablend', program))
  support.type('R')
  support.wait_for('Night Owl Barbers')
end)

--- A program that ends after its first response.
local dying_program = [[#!/bin/sh
echo start >>"%s"
read -r line
id=${line##*\"id\":} id=${id%%%%[,\}]*}
printf '{"jsonrpc":"2.0","id":%%s,"error":{"code":-32000,"message":"busy"}}\n' "$id"
]]

test('a program that keeps ending is started five times', function()
  support.start()
  local starts = support.directory .. '/starts'
  use_script(dying_program:format(starts))
  vim.cmd('NovaBlend salons')
  support.wait_for('The program was started 5 times within 30 s, and ended each time')
  assert(#vim.fn.readfile(starts) == 5)
  support.type('R')
  support.wait_for('The program was started 5 times within 30 s, and ended each time')
  assert(#vim.fn.readfile(starts) == 5)
  support.use(support.gateway.url)
  vim.cmd('NovaBlend restart')
  support.type('R')
  support.wait_for('Night Owl Barbers')
end)

--- The program, which gets a name that it does not know in place of another one.
local program_with_names = [[#!/bin/sh
sed -u 's/"%s"/"%s"/' | "%s/novablend" "$@"
]]

--- Opens the week with a program that does not know `new`, which it gets in place of `old`.
---@return string the program's path
local function open_week_without(old, new)
  support.start()
  local program = use_script(program_with_names:format(old, new, support.binaries))
  vim.cmd('NovaBlend week Peluquería Sol')
  return program
end

local function wait_for_unknown(name)
  support.wait('the problem is shown', function()
    local screen = support.screen():gsub('%s+', ' ')
    return screen:find(('has no %s of salons/availability. Update the program'):format(name), 1, true)
  end)
end

test('a program that does not know a parameter is reported, and its update is used', function()
  local program = open_week_without('days', 'dayCount')
  wait_for_unknown('parameter dayCount')
  os.remove(program)
  assert(uv.fs_symlink(support.binaries .. '/novablend', program))
  support.type('R')
  support.wait_for('free')
end)

test('a program that does not know a member of a parameter is reported', function()
  open_week_without('weekday', 'dayName')
  wait_for_unknown('member dayName in the parameter fields')
end)

test('a program that cannot be loaded says why, in one line', function()
  support.start()
  use_script('#!/bin/sh\necho a library is missing >&2\nexit 127\n')
  vim.cmd('NovaBlend salons')
  support.wait_for('The program ended (exit code 127): a library is missing. Repeat the command')
end)

test('a program that cannot start says why', function()
  support.start()
  require('novablend').setup({ arguments = { '--base-url', 'nonsense' } })
  vim.cmd('NovaBlend salons')
  support.wait_for('The program ended (exit code')
  support.wait_for('must be a URL')
  support.use(support.gateway.url)
  support.type('R')
  support.wait_for('Night Owl Barbers')
end)

--- Waits until a number of windows show an outage, and the age of their lists.
local function wait_for_outages(count)
  support.wait(count .. ' windows show an outage', function()
    local _, warnings = support.screen():gsub('From the cache, %d+ %a+ old%. Offline: ', '')
    return warnings == count
  end)
end

--- Opens the week, and stops the server.
local function lose_server()
  vim.o.columns = 120
  support.start()
  vim.cmd('NovaBlend week Peluquería Sol')
  support.wait_for('free')
  support.backend.stop()
  wait_for_outages(1)
end

test('an outage of the server and its end are shown in all windows', function()
  support.start()
  for _, name in ipairs({ 'salons', 'appointments', 'week Sol' }) do vim.cmd('NovaBlend ' .. name) end
  for _, text in ipairs({ 'Night Owl Barbers', 'no appointments', 'free' }) do support.wait_for(text) end
  support.backend.stop()
  wait_for_outages(3)
  support.restart_backend()
  wait_for_outages(0)
end)

test('an outage of the server and its end are watched', function()
  support.start()
  vim.cmd('NovaBlend watch')
  support.wait_for('0 appointments')
  support.backend.stop()
  support.wait_for('offline    ')
  support.restart_backend()
  support.wait_for('online     the server answers again')
  support.run('book', 'Sol', support.free_time(), '--service', 'cut', '--phone', '030 1234567')
  support.wait_for('booked')
end)

test('appointments that could not be loaded before the end of an outage are not reported as new', function()
  support.start()
  support.run('book', 'Sol', support.free_time(), '--service', 'cut', '--phone', '030 1234567')
  vim.cmd('NovaBlend salons')
  support.wait_for('Night Owl Barbers')
  support.backend.stop()
  wait_for_outages(1)
  vim.cmd('NovaBlend watch')
  support.wait_for('nothing is cached')
  support.restart_backend()
  support.wait_for('watching   1 appointments')
  assert(not support.screen():find('booked', 1, true))
end)

test('after an outage of the server, changes appear by themselves', function()
  lose_server()
  support.restart_backend()
  support.run('book', 'Sol', support.free_time(), '--service', 'cut', '--phone', '030 1234567')
  support.wait_for('○Cut')
  wait_for_outages(0)
end)

test('without a server, a booking is refused', function()
  lose_server()
  support.answer('Service', 'Cut')
  support.answer('Staff', 'Ana')
  support.answer('Phone', '030 1234567')
  support.go_to('Ana, Carmen')
  support.type('b')
  support.wait_for_message('nothing is queued')
end)

test('typing works while the server does not respond', function()
  support.start()
  support.gateway.is_stalled = true
  vim.cmd('NovaBlend salons')
  vim.cmd('wincmd p')
  support.type('ihello')
  assert(vim.api.nvim_buf_get_lines(0, 0, -1, false)[1] == 'hello')
  assert(not support.screen():find('Night Owl', 1, true))
end)
