local support = require('support')
local test = _G.test
local uv = vim.uv or vim.loop

local function completions(line) return vim.fn.getcompletion('NovaBlend ' .. line, 'cmdline') end

test('subcommands and salons are completed', function()
  support.start()
  assert(vim.deep_equal(completions('w'), { 'watch', 'week' }))
  assert(vim.deep_equal(completions('watch '), { 'appointments', 'salons' }))
  support.wait('the names are loaded', function() return #completions('week ') == 6 end)
  assert(vim.deep_equal(completions('week pel'), { 'Peluquería Sol' }))
  assert(vim.deep_equal(completions('week Night O'), { 'Owl Barbers' }))
  for _, typed in ipairs({ 'PELUQUERIA', 'sol', 'Hortaleza', 'madrid' }) do
    assert(vim.deep_equal(completions('week ' .. typed), { 'Peluquería Sol' }), typed)
  end
  assert(vim.deep_equal(completions('book Peluqueria S'), { 'Sol' }))
  assert(vim.deep_equal(completions('book de hor'), { 'Hortaleza 40, Madrid' }))
  assert(vim.deep_equal(completions('week x'), {}))
end)

test('salons are found by parts of their names and places, without accents', function()
  support.start()
  for _, name in ipairs({ 'Peluqueria', 'Hortaleza', 'madrid', 'Calle de Hortaleza 40, Madrid' }) do
    vim.cmd('NovaBlend week ' .. name)
    support.wait_for('Peluquería Sol, Calle de Hortaleza 40, Madrid')
    support.wait_for('free')
    support.type('q')
    support.wait('the week closes', function() return #vim.api.nvim_list_wins() == 1 end)
  end
end)

test('an unknown subcommand and an unknown salon are reported', function()
  support.start()
  vim.cmd('NovaBlend nonsense')
  support.wait_for_message('use one of appointments, book')
  vim.cmd('NovaBlend week nonsense')
  support.wait_for_message('matches no salon')
end)

test('a restart applies other options', function()
  support.start()
  vim.cmd('NovaBlend salons')
  support.wait_for('Night Owl Barbers')
  require('novablend').setup({ arguments = support.arguments('http://127.0.0.1:1', 'elsewhere') })
  vim.cmd('NovaBlend restart')
  support.wait_for('Offline: ')
end)

test('unknown options are rejected', function()
  local setup = require('novablend').setup
  local _, message = pcall(setup, { programm = 'novablend' })
  assert(message == 'novablend: there is no option programm')
  _, message = pcall(setup, { arguments = '--sandbox' })
  assert(message == 'novablend: the option arguments must be a table')
end)

test('checkhealth shows what works and what does not', function()
  support.start()
  vim.cmd('checkhealth novablend')
  support.wait_for('novablend serve works, version ')
  support.wait_for('server: http://127.0.0.1:')
  support.backend.stop()
  vim.cmd('checkhealth novablend')
  support.wait_for('check the URL and the network connection')
  require('novablend').setup({ program = '/nowhere/novablend' })
  vim.cmd('checkhealth novablend')
  support.wait_for('the program "/nowhere/novablend" was not found')
end)

test('the help describes every command, key, and option', function()
  local copy = support.directory .. '/plugin'
  vim.fn.mkdir(copy .. '/doc', 'p')
  local source = vim.api.nvim_get_runtime_file('doc/novablend.txt', false)[1]
  assert(uv.fs_copyfile(source, copy .. '/doc/novablend.txt'))
  vim.cmd('helptags ' .. copy .. '/doc')
  vim.opt.runtimepath:append(copy)
  for _, tag in ipairs({ 'novablend', 'novablend-week', 'novablend-options', 'novablend-keys', ':NovaBlend' }) do
    vim.cmd('help ' .. tag)
    assert(vim.fn.expand('%:t') == 'novablend.txt')
  end
  local help = table.concat(vim.fn.readfile(source), '\n')
  for name in pairs(require('novablend.config').options) do assert(help:find('\n' .. name, 1, true), name) end
  for _, action in ipairs(require('novablend.week.actions')) do
    assert(help:find(('<Plug>(novablend-week-%s)'):format(action.name), 1, true), action.name)
  end
  for _, name in ipairs(completions('')) do assert(help:find('*:NovaBlend-' .. name .. '*', 1, true), name) end
end)
