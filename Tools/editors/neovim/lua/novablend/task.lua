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

--- Runs functions that may call `await` at the same time, and returns the first result of each.
---@param bodies (fun(): any)[]
---@return any[]
function M.all(bodies)
  if #bodies == 0 then return {} end
  return M.await(function(callback)
    local results, missing = {}, #bodies
    for index, body in ipairs(bodies) do
      M.run(function()
        results[index] = body()
        missing = missing - 1
        if missing == 0 then callback(results) end
      end)
    end
  end)
end

return M
