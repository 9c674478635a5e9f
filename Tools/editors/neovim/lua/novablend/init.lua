local M = {}

--- Sets options. Calling it is optional; |novablend-options| describes them.
---@param options novablend.Options
function M.setup(options) require('novablend.config').set(options) end

return M
