local support = require('support')
local terminal = require('terminal')
local test = _G.test

local place = 'Peluquería Sol, Calle de Hortaleza 40, Madrid'

--- Opens the week of a salon with staff and services.
---@param options? table
---@return novablend.Terminal
local function open_week(options)
  support.start()
  local editor = terminal.open(options)
  editor:wait_for('All')
  editor:run('NovaBlend week Peluqueria Sol', 'Ana, Carmen')
  return editor
end

test('in a terminal, a booking asks at which place, says that it is sent, and needs no ENTER', function()
  local editor = open_week({ columns = 120 })
  editor:type('b')
  editor:wait_for('Service at ' .. place)
  editor:type('2<CR>')
  editor:wait_for('Staff at ' .. place)
  editor:type('2<CR>')
  editor:wait_for('Phone for ' .. place)
  support.gateway.withholds = 'request'
  editor:type('030 1234567<CR>')
  editor:wait_for('Cut with Ana, ')
  editor:wait_for(place .. '?')
  editor:type('1<CR>')
  editor:wait_for('sending the booking, ')
  support.wait('the request is withheld', function() return support.gateway.withheld > 0 end)
  assert(not editor:screen():find('ENTER', 1, true), editor:screen())
end)

test('in a terminal, what was booked is said without ENTER', function()
  local editor = open_week({ columns = 120 })
  editor:type('b')
  editor:wait_for('Service at ')
  editor:type('2<CR>')
  editor:wait_for('Staff at ')
  editor:type('2<CR>')
  editor:wait_for('Phone for ')
  editor:type('030 1234567<CR>')
  editor:wait_for('Cut with Ana, ')
  editor:wait_for(place .. '?')
  editor:type('1<CR>')
  editor:wait_for('NovaBlend: Booked ')
  editor:wait_for('●Cut')
  assert(not editor:screen():find('ENTER', 1, true), editor:screen())
  editor:type('q')
  editor:wait_without('●Cut')
end)

test('in a terminal, Ctrl-C and Esc cancel each question', function()
  local editor = open_week()
  local questions = {
    { 'b', 'Service at ' }, { '2<CR>', 'Staff at ' }, { '2<CR>', 'Phone for ' }, { '030 1234567<CR>', 'Do not book' },
  }
  for turn = 0, 2 * #questions - 1 do
    local key, count = turn < #questions and '<C-C>' or '<Esc>', turn % #questions + 1
    for index = 1, count do
      editor:type(questions[index][1])
      editor:wait_for(questions[index][2])
      -- The number of the last booking is offered.
      if index == 3 then editor:type('<C-U>') end
    end
    editor:type(key)
    editor:wait_without(questions[count][2])
    editor:wait_for('Ana, Carmen')
    local screen = editor:screen()
    assert(not screen:find('ENTER', 1, true) and not screen:find('traceback', 1, true), screen)
  end
  for _, each in ipairs({ { 's', 'Service at ' }, { 'w', 'Staff at ' } }) do
    editor:type(each[1])
    editor:wait_for(each[2])
    editor:type('<C-C>')
    editor:wait_without(each[2])
  end
  editor:type('q')
  editor:run('NovaBlend week', 'Salon')
  editor:wait_for('6: Night Owl')
  editor:type('<C-C>')
  editor:wait_without('6: Night Owl')
  assert(support.gateway.changes == 0)
end)

test('in a terminal, an empty phone number says why nothing is booked, and Esc does not', function()
  local editor = open_week()
  for _, key in ipairs({ '<CR>', '<Esc>' }) do
    for _, each in ipairs({ { 'b', 'Service at ' }, { '2<CR>', 'Staff at ' }, { '2<CR>', 'Phone for ' } }) do
      editor:type(each[1])
      editor:wait_for(each[2])
    end
    editor:type(key)
    if key == '<CR>' then editor:wait_for('nothing was booked: a booking needs a phone number') end
    editor:wait_without('Phone for ')
  end
  editor:wait_without('nothing was booked')
  assert(support.gateway.changes == 0)
end)

test('in a terminal, long errors need no ENTER, go away with the next key, and are in the messages', function()
  support.start()
  local editor = terminal.open({ columns = 60 })
  editor:wait_for('All')
  editor:type(":lua require('novablend').setup({ program = '/nowhere/novablend' })<CR>")
  editor:run('NovaBlend week Sol', 'repeat the command.')
  assert(not editor:screen():find('ENTER', 1, true), editor:screen())
  editor:type('l')
  editor:wait_without('repeat the command.')
  editor:run('messages', 'NovaBlend: The program "/nowhere')
end)

test('in a terminal, a list leaves no option to the file that follows in its window', function()
  support.start()
  local configuration = { 'vim.o.number = true', 'vim.o.list = true', "vim.o.signcolumn = 'yes'", 'vim.o.wrap = false' }
  local options = {
    'number', 'list', 'signcolumn', 'wrap', 'cursorline', 'spell', 'foldcolumn', 'linebreak', 'winhighlight',
  }
  local values = table.concat(vim.tbl_map(function(name) return '&' .. name end, options), ', ')
  local editor = terminal.open({ configuration = configuration })
  editor:wait_for('All')
  local before = editor:evaluate('[' .. values .. ']')
  for _, command in ipairs({ 'salons', 'appointments', 'watch' }) do
    for _, close in ipairs({ 'only | bwipeout', 'only | edit other.txt', 'close', 'wincmd p | new' }) do
      editor:run('NovaBlend ' .. command, 'q close')
      editor:type((':%s<CR>'):format(close))
      local after = editor:evaluate('[' .. values .. ']')
      assert(before == after, ('%s, %s: %s, %s'):format(command, close, before, after))
      editor:type(':silent! %bwipeout!<CR>')
      editor:wait_without('q close')
    end
  end
  editor:run('NovaBlend week Sol', 'Ana, Carmen')
  editor:type('q')
  editor:wait_without('Ana, Carmen')
  assert(before == editor:evaluate('[' .. values .. ']'))
end)

test('in a terminal, :edit loads a list and a week again', function()
  local editor = open_week()
  support.run('book', 'Sol', support.free_time(), '--service', 'cut', '--phone', '030 1234567')
  editor:wait_for('○Cut')
  editor:type(':e<CR>')
  editor:wait_for('○Cut')
  editor:wait_for('3 free')
  editor:type('q')
  editor:wait_without('○Cut')
  local lists = { { 'salons', 'Night Owl' }, { 'appointments', 'Cut with ' }, { 'watch', '1 appointments' } }
  for _, each in ipairs(lists) do
    editor:run('NovaBlend ' .. each[1], each[2])
    editor:type(':e<CR>')
    editor:wait_for(each[2])
    editor:wait_for('q close')
    assert(not editor:screen():find('ENTER', 1, true), editor:screen())
    editor:type('q')
    editor:wait_without('q close')
  end
end)

test('in a terminal, a list and a week show that they are being loaded', function()
  local editor = open_week()
  editor:type('q')
  support.gateway.is_stalled = true
  editor:run('NovaBlend salons', 'Salons  Loading…')
  editor:type('q')
  editor:run('NovaBlend appointments', 'Appointments  Loading…')
  editor:type('q')
  editor:run('NovaBlend watch', 'loading')
  editor:type('q')
  editor:run('NovaBlend week', 'loading the salons…')
end)

test('in a terminal, a key of the user replaces the default keys', function()
  local editor = open_week({
    configuration = {
      "vim.cmd('autocmd FileType novablend-week nmap <buffer> c <Plug>(novablend-week-book)')",
      "vim.cmd('autocmd FileType novablend-salons nnoremap <buffer> b <Cmd>echo 42<CR>')",
      "vim.cmd('nmap <Space>s <Plug>(novablend-salons)')",
    },
  })
  editor:wait_for('c book')
  -- Here, b goes to the word before, on a day on which the salon is closed.
  editor:type('b')
  editor:wait_for('closed on this day')
  editor:type('lc')
  editor:wait_for('Service at ')
  editor:type('<C-C>')
  editor:wait_without('Service at ')
  editor:type('q')
  editor:wait_without('c book')
  editor:type(' s')
  editor:wait_for('Night Owl')
  editor:type('b')
  editor:wait_for('42')
end)

test('in a terminal, ? shows the keys above each window, without tags of the help', function()
  local editor = open_week()
  editor:type('?')
  editor:wait_for('book the time under the cursor')
  editor:type('q')
  editor:wait_for('Ana, Carmen')
  editor:type('d')
  editor:wait_for('Bruno')
  editor:type('?')
  editor:wait_for('with a column for each staff member')
  editor:type('?')
  editor:wait_for('Bruno')
  editor:type('q')
  editor:wait_without('Bruno')
  for _, each in ipairs({ { 'salons', 'In a list of appointments' }, { 'watch', 'Adds a line for each change' } }) do
    editor:run('NovaBlend ' .. each[1], 'q close')
    editor:type('?')
    editor:wait_for(each[2])
    editor:type('<Esc>')
    editor:wait_without(each[2])
    editor:type('q')
    editor:wait_without('q close')
  end
end)

test('in a terminal, a salon is found by a part of its name or place, without accents', function()
  local editor = open_week()
  editor:type('q')
  for _, part in ipairs({ 'Peluqueria', 'hortaleza', 'MADRID', 'peluq<Tab>' }) do
    editor:wait_without('Ana, Carmen')
    editor:run('NovaBlend week', '1: Find by name or place')
    editor:type('1<CR>')
    editor:wait_for('Part of the name or place')
    editor:type(part)
    if part:find('<Tab>', 1, true) then editor:wait_for('place: Peluquería Sol') end
    editor:type('<CR>')
    editor:wait_for(place)
    editor:wait_for('Ana, Carmen')
    editor:type('q')
  end
end)

test('in a terminal, a list that is opened from the week is not covered by it', function()
  local editor = open_week()
  for _, name in ipairs({ 'salons', 'appointments', 'watch' }) do
    editor:type((':NovaBlend %s<CR>'):format(name))
    editor:wait_without('Ana, Carmen')
    editor:wait_for('q close')
    editor:type('q')
    editor:wait_without('q close')
    editor:run('NovaBlend week Sol', 'Ana, Carmen')
  end
end)
