if vim.g.loaded_novablend then return end
vim.g.loaded_novablend = true

vim.api.nvim_create_user_command('NovaBlend', function(command)
  require('novablend.command').run(command.fargs)
end, {
  nargs = '+',
  desc = 'List salons, and book and show appointments',
  complete = function(lead, line) return require('novablend.command').complete(lead, line) end,
})

for _, name in ipairs({ 'salons', 'week', 'book', 'appointments', 'watch' }) do
  vim.keymap.set('n', ('<Plug>(novablend-%s)'):format(name), ('<Cmd>NovaBlend %s<CR>'):format(name))
end
