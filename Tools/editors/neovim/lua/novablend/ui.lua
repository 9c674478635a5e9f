--- What all windows share: their options and keys, and messages that need no key to go on.
local task = require('novablend.task')
local text = require('novablend.text')

local M = {}

--- Sets options of a window, and of no window that is opened from it later.
---@param window integer
---@param options table<string, any>
function M.set_options(window, options)
  vim.api.nvim_win_call(window, function()
    for name, value in pairs(options) do
      vim.api.nvim_set_option_value(name, value, { scope = 'local' })
    end
  end)
end

---@class novablend.Action
---@field name string the last part of `<Plug>(novablend-KIND-NAME)`
---@field keys string[] the keys that run it, unless the user has mapped others to its name
---@field label? string what it does, in one or two words
---@field run function runs in a task

--- The name to which keys are mapped.
---@param kind string of a window
---@param action novablend.Action
local function plug(kind, action) return ('<Plug>(novablend-%s-%s)'):format(kind, action.name) end

--- Makes a buffer one of ours, with a name, a file type, and the keys of its actions. `:edit` loads it again.
---@param buffer integer
---@param kind string week, salons, appointments, or watch
---@param name string
---@param actions novablend.Action[]
---@param run fun(action: novablend.Action)
---@param reload fun()
function M.prepare(buffer, kind, name, actions, run, reload)
  vim.api.nvim_buf_set_name(buffer, name)
  vim.bo[buffer].filetype = 'novablend-' .. kind
  for _, action in ipairs(actions) do
    local has_keys = vim.fn.hasmapto(plug(kind, action), 'n') == 1
    vim.keymap.set('n', plug(kind, action), function() run(action) end, { buffer = buffer, desc = action.label })
    for _, key in ipairs(has_keys and {} or action.keys) do
      -- A key that the user has mapped for this kind of buffer keeps its meaning.
      if vim.fn.maparg(key, 'n', false, true).buffer ~= 1 then
        vim.keymap.set('n', key, plug(kind, action), { buffer = buffer, nowait = true, remap = true })
      end
    end
  end
  vim.api.nvim_create_autocmd('BufReadCmd', { buffer = buffer, callback = reload })
end

--- The buffer with a name.
---@param name string
---@return integer?
function M.find_buffer(name)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buffer) == name then return buffer end
  end
end

--- The keys of actions with their labels, for the user.
---@param buffer integer
---@param kind string
---@param actions novablend.Action[]
---@return string[]
function M.labels(buffer, kind, actions)
  local keys = {}
  for _, maps in ipairs({ vim.api.nvim_buf_get_keymap(buffer, 'n'), vim.api.nvim_get_keymap('n') }) do
    for _, map in ipairs(maps) do
      if map.rhs then keys[map.rhs] = vim.list_extend(keys[map.rhs] or {}, { map.lhs }) end
    end
  end
  local labels = {}
  for _, action in ipairs(actions) do
    local mapped = keys[plug(kind, action)] or {}
    local key = vim.tbl_contains(mapped, action.keys[1]) and action.keys[1] or mapped[1]
    if action.label and key then table.insert(labels, key .. ' ' .. action.label) end
  end
  return labels
end

local notices = vim.api.nvim_create_namespace('novablend.notices')
---@type integer? the window with a long message
local notice

local function close_notice()
  vim.on_key(nil, notices)
  if notice and vim.api.nvim_win_is_valid(notice) then vim.api.nvim_win_close(notice, true) end
  notice = nil
end

--- The lines of a text, none wider than a width.
---@param message string
---@param width integer
---@return string[]
local function wrapped(message, width)
  local lines = {}
  for _, paragraph in ipairs(vim.split(message, '\n')) do
    vim.list_extend(lines, text.wrap(vim.split(paragraph, ' '), ' ', width))
  end
  return lines
end

--- Shows a long message above the command line until a key is typed.
---@param message string
---@param group string a highlight group
local function show_notice(message, group)
  local lines = {}
  if notice and vim.api.nvim_win_is_valid(notice) then
    lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(notice), 0, -1, false)
  end
  close_notice()
  local width = vim.o.columns - 2
  vim.list_extend(lines, wrapped(message, width))
  local height = math.max(1, math.min(#lines, vim.o.lines - vim.o.cmdheight - 3))
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.list_slice(lines, #lines - height + 1))
  notice = vim.api.nvim_open_win(buffer, false, {
    relative = 'editor', anchor = 'SW', row = vim.o.lines - vim.o.cmdheight, col = 0, width = width, height = height,
    style = 'minimal', border = 'rounded', focusable = false, zindex = 200,
  })
  M.set_options(notice, { winhighlight = 'NormalFloat:' .. group .. ',FloatBorder:' .. group, wrap = true })
  vim.on_key(function() vim.schedule(close_notice) end, notices)
end

--- Whether messages appear in the command line, and not by a plugin of the user.
local function uses_command_line() return debug.getinfo(vim.notify, 'S').source:find('^@vim/') ~= nil end

--- The columns of the command line that Neovim uses for the position of the cursor, and for keys.
local room_for_others = 12

--- Shows a message, without a prompt to press ENTER. All are in `:messages`, in lines that fit.
---@param message string
---@param level? integer
function M.notify(message, level)
  message = 'NovaBlend: ' .. message
  if not uses_command_line() then return vim.notify(message, level) end
  local groups = { [vim.log.levels.ERROR] = 'ErrorMsg', [vim.log.levels.WARN] = 'WarningMsg' }
  local group = groups[level] or 'Normal'
  -- What is on the screen from a question, or from the message before, would make Neovim ask for ENTER.
  vim.cmd('redraw')
  local width = vim.o.columns - room_for_others
  local lines = wrapped(message, width)
  for _, line in ipairs(lines) do
    vim.api.nvim_echo({ { text.fit(line, math.min(width, vim.fn.strdisplaywidth(line))), group } }, true, {})
    if #lines > 1 then vim.cmd('redraw') end
  end
  if #lines == 1 then return end
  vim.api.nvim_echo({ { '' } }, false, {})
  show_notice(message, group)
end

--- Shows a section of the help above all windows. It is the file itself, so that no tags have to be made.
---@param tag string
function M.help(tag)
  local lines = vim.fn.readfile(vim.api.nvim_get_runtime_file('doc/novablend.txt', false)[1])
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].bufhidden, vim.bo[buffer].filetype, vim.bo[buffer].modifiable = 'wipe', 'help', false
  local width = math.min(78, vim.o.columns - 2)
  local height = math.max(1, vim.o.lines - vim.o.cmdheight - 3)
  local window = vim.api.nvim_open_win(buffer, true, {
    relative = 'editor', row = 0, col = math.floor((vim.o.columns - width - 2) / 2), width = width, height = height,
    style = 'minimal', border = 'rounded', zindex = 100,
  })
  M.set_options(window, { winhighlight = 'NormalFloat:Normal,FloatBorder:NovaBlendDim', wrap = true, linebreak = true })
  vim.fn.search(('*%s*'):format(tag), 'cw')
  vim.cmd('normal! zt')
  for _, key in ipairs({ 'q', '?', '<Esc>' }) do
    vim.keymap.set('n', key, '<Cmd>close<CR>', { buffer = buffer, nowait = true })
  end
end

--- Shows in the command line what is being waited for, until the returned function is called.
---@param message string
---@return fun()
function M.show_progress(message)
  local function echo(line)
    -- A command that is being typed stays.
    if vim.api.nvim_get_mode().mode:find('^[cr]') then return end
    vim.cmd('redraw')
    vim.api.nvim_echo({ { line } }, false, {})
  end
  echo(vim.trim(text.fit(('NovaBlend: %s…'):format(message), vim.o.columns - room_for_others)))
  return function() echo('') end
end

--- Calls a function with a callback and returns what the callback gets, or nil if the user presses Ctrl-C.
--- Runs in a task.
---@param ask fun(callback: fun(...))
---@return any
function M.answer(ask)
  return task.await(function(callback)
    local is_answered = false
    local function once(value)
      if is_answered then return end
      is_answered = true
      -- An error in what follows is not one of the question.
      vim.schedule(function() callback(value) end)
    end
    vim.cmd('redraw')
    local succeeded, message = pcall(ask, once)
    if succeeded then return end
    if not tostring(message):find('Keyboard interrupt', 1, true) then error(message, 0) end
    vim.cmd('redraw')
    once(nil)
  end)
end

return M
