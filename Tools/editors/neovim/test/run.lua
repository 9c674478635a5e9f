-- Runs one test: TEST is the name of a file and the name of a test in it, separated by a colon.
local folder = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = folder .. '/?.lua;' .. package.path
vim.opt.runtimepath:prepend(vim.fn.fnamemodify(folder, ':h'))
vim.cmd('runtime plugin/novablend.lua')
vim.o.swapfile = false

local file, name = os.getenv('TEST'):match('^(.-):(.*)$')
local tests = {}
function _G.test(title, body) tests[title] = body end

local succeeded, message = xpcall(function()
  dofile(folder .. '/' .. file)
  tests[name]()
end, debug.traceback)
if not succeeded then
  io.stderr:write(message, '\n')
  local loaded = package.loaded.support
  if loaded then io.stderr:write(vim.inspect({ loaded.messages, loaded.questions }), '\n') end
end
vim.cmd(succeeded and 'qall!' or 'cquit!')
