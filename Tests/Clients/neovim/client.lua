-- A client that uses vim.lsp.rpc of Neovim 0.7: start(command, arguments, dispatchers).
local booking = vim.json.decode(vim.env.BOOKING)
local command = vim.json.decode(vim.env.SERVER)
local executable = table.remove(command, 1)
local deadline = 30000

local results = {}
local exit
local client = vim.lsp.rpc.start(executable, command, {
  on_exit = function(code, signal) exit = { code = code, signal = signal } end,
  on_error = function(code, err) results.client_error = vim.inspect({ code, err }) end,
})

local function check(condition, message)
  if not condition then error(message .. ': ' .. vim.inspect(results)) end
end

local function call(method, params)
  local reply
  client.request(method, params, function(err, result) reply = { err = err, result = result } end)
  check(vim.wait(deadline, function() return reply ~= nil end, 5), method .. ' got no response')
  check(not reply.err, method .. ' failed, ' .. tostring(reply.err))
  return reply.result
end

local function pause_at(step)
  io.write(step, '\n')
  io.flush()
  io.read()
end

local function run()
  call('initialize', { capabilities = vim.empty_dict() })
  client.notify('initialized', vim.empty_dict())
  results.salons = #call('salons/list', {}).salons
  local booked = call('appointments/book', booking).appointment
  local listed = call('appointments/list', {}).appointments
  results.listed = #listed
  check(#listed == 1 and listed[1].id == booked.id, 'the booking is not listed')

  pause_at('hold')
  local received, reported = false, false
  local _, id = client.request('salons/list', {}, function() reported = true end,
    function() received = true end)
  pause_at('reached')
  client.notify('$/cancelRequest', { id = id })
  check(vim.wait(deadline, function() return received end, 5), 'no response to the cancelled call')
  -- Neovim reports every response except an error with the code -32800.
  call('salons/list', { policy = 'cacheOnly' })
  results.cancelled = received and not reported
  pause_at('closed')

  call('shutdown')
  client.notify('exit')
  check(vim.wait(deadline, function() return exit ~= nil end, 5), 'the server did not exit')
  results.exit = exit.code
end

local ok, message = pcall(run)
if not ok then io.stderr:write(tostring(message), '\n') end
io.write(vim.json.encode(results), '\n')
local succeeded = ok and results.cancelled and results.exit == 0 and not results.client_error
vim.cmd(succeeded and 'qall!' or 'cquit!')
