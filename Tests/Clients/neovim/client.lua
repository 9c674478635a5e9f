-- Neovim 0.7's vim.lsp.rpc as a client: start(command, arguments, dispatchers).
local booking = vim.json.decode(vim.env.BOOKING)
local command = vim.json.decode(vim.env.SERVER)
local executable = table.remove(command, 1)
local deadline = 30000

local seen = {}
local exit
local client = vim.lsp.rpc.start(executable, command, {
  on_exit = function(code, signal) exit = { code = code, signal = signal } end,
  on_error = function(code, err) seen.client_error = vim.inspect({ code, err }) end,
})

local function check(condition, why)
  if not condition then error(why .. ': ' .. vim.inspect(seen)) end
end

local function call(method, params)
  local reply
  client.request(method, params, function(err, result) reply = { err = err, result = result } end)
  check(vim.wait(deadline, function() return reply ~= nil end, 5), method .. ' was not answered')
  check(not reply.err, method .. ' failed, ' .. tostring(reply.err))
  return reply.result
end

local function ask(question)
  io.write(question, '\n')
  io.flush()
  io.read()
end

local function converse()
  call('initialize', { capabilities = vim.empty_dict() })
  client.notify('initialized', vim.empty_dict())
  seen.salons = #call('salons/list', {}).salons
  local booked = call('appointments/book', booking).appointment
  local listed = call('appointments/list', {}).appointments
  seen.listed = #listed
  check(#listed == 1 and vim.deep_equal(listed[1], booked), 'the booking is not listed')

  ask('hold')
  local answered, surfaced = false, false
  local _, id = client.request('salons/list', {}, function() surfaced = true end,
    function() answered = true end)
  ask('reached')
  client.notify('$/cancelRequest', { id = id })
  check(vim.wait(deadline, function() return answered end, 5), 'the cancelled one was not answered')
  -- Neovim hands on every answer but one with the code -32800.
  call('salons/list', { policy = 'cacheOnly' })
  seen.cancelled = answered and not surfaced
  ask('closed')

  call('shutdown')
  client.notify('exit')
  check(vim.wait(deadline, function() return exit ~= nil end, 5), 'the server did not end')
  seen.exit = exit.code
end

local ok, why = pcall(converse)
if not ok then io.stderr:write(tostring(why), '\n') end
io.write(vim.json.encode(seen), '\n')
vim.cmd(ok and seen.cancelled and seen.exit == 0 and not seen.client_error and 'qall!' or 'cquit!')
