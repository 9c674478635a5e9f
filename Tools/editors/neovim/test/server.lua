--- A backend, and a gateway in front of it that can withhold requests and responses.
local M = {}

local uv = vim.uv or vim.loop

local binaries = os.getenv('NOVABLEND_BIN')

---@param what string
---@param condition fun(): any
function M.wait(what, condition)
  local result
  local function holds()
    result = condition()
    return result
  end
  if not vim.wait(60000, holds, 5) then error('this did not happen: ' .. what, 2) end
  return result
end

--- Starts a backend on a port; 0 is any free port.
---@param directory string
---@param port integer
function M.start_backend(directory, port)
  local output, exit = '', nil
  local job = vim.fn.jobstart({
    binaries .. '/novablend-backend', '--port', tostring(port), '--database', directory .. '/backend.sqlite',
    '--exit-with-input',
  }, {
    on_stdout = function(_, lines) output = output .. table.concat(lines, '\n') end,
    on_exit = function(_, code) exit = code end,
  })
  local found = M.wait('the backend listens', function() return output:match('127%.0%.0%.1:(%d+)') end)
  return {
    port = tonumber(found),
    url = 'http://127.0.0.1:' .. found,
    stop = function()
      vim.fn.chanclose(job, 'stdin')
      M.wait('the backend ends', function() return exit end)
    end,
  }
end

---@class Gateway
---@field url string
---@field withholds? 'request'|'response' of requests that book or change something
---@field is_stalled? boolean whether no request is passed on
---@field withheld integer how many requests or responses have been withheld
---@field changes integer how many requests to book or change something have come
---@field start fun()
---@field stop fun()

--- Passes one connection on.
---@param gateway Gateway
local function serve(gateway, client, port)
  local server = uv.new_tcp()
  local is_change = false
  local function close()
    for _, each in ipairs({ client, server }) do
      if not each:is_closing() then each:close() end
    end
  end
  local function withhold(what) -- Returns whether it was withheld.
    if not is_change or gateway.withholds ~= what then return false end
    gateway.withheld = gateway.withheld + 1
    return true
  end
  local function copy(from, to, what)
    from:read_start(function(_, bytes)
      if not bytes then return close() end
      if what == 'request' and bytes:find('^%u+ /') then is_change = not bytes:find('^GET') end
      if what == 'request' and is_change then gateway.changes = gateway.changes + 1 end
      if not withhold(what) and not (gateway.is_stalled and what == 'request') then to:write(bytes) end
    end)
  end
  server:connect('127.0.0.1', port, function(err)
    if err then return close() end
    copy(client, server, 'request')
    copy(server, client, 'response')
  end)
end

--- Starts a gateway to a port.
---@param port integer
---@return Gateway
function M.start_gateway(port)
  local gateway = { withheld = 0, changes = 0 }
  local listener, own_port
  --- Accepts connections, on the same port each time.
  function gateway.start()
    listener = uv.new_tcp()
    assert(listener:bind('127.0.0.1', own_port or 0))
    listener:listen(16, function()
      local client = uv.new_tcp()
      listener:accept(client)
      serve(gateway, client, port)
    end)
    own_port = listener:getsockname().port
  end
  --- Refuses connections.
  function gateway.stop() listener:close() end
  gateway.start()
  gateway.url = 'http://127.0.0.1:' .. own_port
  return gateway
end

return M
