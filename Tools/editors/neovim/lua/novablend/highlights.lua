--- The highlight groups, for dark and for light backgrounds. A color scheme can define its own.
local M = {}

local colors = {
  dark = {
    Title = { fg = '#89b4fa', ctermfg = 111, bold = true },
    Free = { fg = '#a6da95', ctermfg = 114 },
    Own = { fg = '#1e2030', bg = '#8aadf4', ctermfg = 235, ctermbg = 111 },
    Booked = { fg = '#cad3f5', bg = '#494d64', ctermfg = 252, ctermbg = 239 },
    Dim = { fg = '#7c819c', ctermfg = 244 },
    Key = { fg = '#f5bde6', ctermfg = 218 },
    Warning = { fg = '#eed49f', ctermfg = 222 },
    Error = { fg = '#ed8796', ctermfg = 210 },
    Cursor = { fg = '#1e2030', bg = '#eed49f', ctermfg = 235, ctermbg = 222 },
  },
  light = {
    Title = { fg = '#1e66f5', ctermfg = 26, bold = true },
    Free = { fg = '#287a1a', ctermfg = 28 },
    Own = { fg = '#ffffff', bg = '#1e66f5', ctermfg = 231, ctermbg = 26 },
    Booked = { fg = '#303446', bg = '#ccd0da', ctermfg = 237, ctermbg = 252 },
    Dim = { fg = '#6c6f85', ctermfg = 243 },
    Key = { fg = '#8839ef', ctermfg = 92 },
    Warning = { fg = '#8a5a00', ctermfg = 94 },
    Error = { fg = '#d20f39', ctermfg = 161 },
    Cursor = { fg = '#303446', bg = '#f2c55c', ctermfg = 237, ctermbg = 221 },
  },
}

M.namespace = vim.api.nvim_create_namespace('novablend')

local function define()
  for name, color in pairs(colors[vim.o.background]) do
    vim.api.nvim_set_hl(0, 'NovaBlend' .. name, vim.tbl_extend('error', color, { default = true }))
  end
end

--- Highlights a part of a line, both counted from 0.
---@param buffer integer
---@param line integer
---@param first integer
---@param last integer
---@param group string the name of the group without its prefix
function M.add(buffer, line, first, last, group)
  vim.api.nvim_buf_set_extmark(buffer, M.namespace, line, first, {
    end_col = last,
    hl_group = 'NovaBlend' .. group,
  })
end

define()
vim.api.nvim_create_autocmd('ColorScheme', {
  group = vim.api.nvim_create_augroup('NovaBlendColors', {}),
  callback = define,
})

return M
