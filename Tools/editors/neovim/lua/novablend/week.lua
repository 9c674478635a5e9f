--- The week of a salon: free times, and appointments. |novablend-week| describes the keys.
local Session = require('novablend.week.session')
local actions = require('novablend.week.actions')
local choose = require('novablend.choose')
local program = require('novablend.program')
local task = require('novablend.task')
local ui = require('novablend.ui')

local M = {}

---@type novablend.WeekSession?
local current

--- Sets the keys of the grid, and what happens until it is closed.
---@param session novablend.WeekSession
local function prepare(session)
  local buffer = session.view.grid.buffer
  local function reload() session:reload() end
  ui.prepare(buffer, 'week', 'novablend://week/' .. session.salon.id, actions, function(action)
    task.run(action.run, session)
  end, reload)
  local ends = { program.follow('salons', reload), program.follow('appointments', reload) }
  local group = vim.api.nvim_create_augroup('NovaBlendWeek', {})
  local function on(event, pattern, run)
    vim.api.nvim_create_autocmd(event, vim.tbl_extend('error', pattern, { group = group, callback = run }))
  end
  on('CursorMoved', { buffer = buffer }, function() session.view:show_selection() end)
  on('VimResized', {}, reload)
  on('BufWipeout', { buffer = buffer }, function()
    for _, finish in ipairs(ends) do finish() end
    vim.api.nvim_del_augroup_by_id(group)
    vim.schedule(function() session.view:close() end)
  end)
end

--- Opens the week of a salon. Runs in a task.
---@param name? string the name or id of the salon
---@param start? string the first day, by default today
function M.open(name, start)
  local salon = choose.salon(name)
  if not salon then return end
  if current then current.view:close() end
  current = Session.new(salon, start or 'today', actions)
  prepare(current)
  current:reload()
end

return M
