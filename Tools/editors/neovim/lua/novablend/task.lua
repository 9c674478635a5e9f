--- Functions that wait for results without blocking the editor.
local M = {}

--- Runs a function that may call `await`.
---@param body fun(...)
function M.run(body, ...)
  local thread = coroutine.create(body)
  local function step(...)
    local succeeded, start = coroutine.resume(thread, ...)
    if not succeeded then error(debug.traceback(thread, tostring(start)), 0) end
    if coroutine.status(thread) ~= 'dead' then start(step) end
  end
  step(...)
end

--- Calls `start` with a callback, and returns the arguments of the callback.
---@param start fun(callback: fun(...))
---@return any ...
function M.await(start) return coroutine.yield(start) end

return M
