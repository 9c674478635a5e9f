--- `:checkhealth novablend`
local config = require('novablend.config')
local problems = require('novablend.problem')
local program = require('novablend.program')

local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error

local methods = {
  'salons/list', 'salons/get', 'salons/availability', 'appointments/list', 'appointments/book',
  'appointments/reschedule', 'appointments/cancel', 'appointments/resolve', 'resource/subscribe',
}
--- Checks that the program has the methods that the plugin calls.
local function check_methods()
  local problem, result
  program.request('rpc.discover', {}, function(...) problem, result = ... end)
  -- The call ends after the time of the option `timeout`.
  vim.wait(config.options.timeout * 1000 + 1000, function() return problem or result end, 10)
  if not result then
    return fail('novablend serve does not work', { problems.text(problem or problems.unanswered()) })
  end
  local known = vim.tbl_map(function(method) return method.name end, result.methods)
  for _, name in ipairs(methods) do
    if not vim.tbl_contains(known, name) then
      fail('the program has no method ' .. name, { 'Update the program.' })
    end
  end
  ok(('novablend serve works, version %s, process %d'):format(result.info.version, program.pid()))
end

--- The output of `novablend doctor`, and its exit code, which is nil if it did not end.
---@return string output
---@return integer? code
local function run_doctor()
  local parts = {}
  local function add(_, lines) table.insert(parts, table.concat(lines, '\n')) end
  local job = vim.fn.jobstart(vim.list_extend(config.command('doctor'), { '--json' }), {
    stdin = 'null', stdout_buffered = true, stderr_buffered = true, on_stdout = add, on_stderr = add,
  })
  local code = vim.fn.jobwait({ job }, math.floor(config.options.timeout * 1000))[1]
  if code < 0 then vim.fn.jobstop(job) end
  return table.concat(parts, '\n'), code >= 0 and code or nil
end

--- Shows what `novablend doctor` finds.
local function check_setup()
  local output, code = run_doctor()
  if not code then return warn(('novablend doctor did not end within %g s'):format(config.options.timeout)) end
  local decoded, report = pcall(vim.json.decode, output:match('{.*}') or '')
  if not decoded or not report.checks then
    local message = ('novablend doctor reports nothing (exit code %d)'):format(code)
    local reason = vim.trim(output)
    return warn(message, { reason ~= '' and reason or 'Run it in a terminal.' })
  end
  local show = { ok = ok, warn = warn, fail = fail }
  for _, check in ipairs(report.checks) do
    local advice = type(check.advice) == 'string' and { check.advice } or nil
    show[check.state](check.check .. ': ' .. check.found, advice)
  end
end

function M.check()
  start('novablend')
  if vim.fn.executable(config.options.program) == 0 then
    local problem = problems.missing()
    return fail(problem.message, { problem.advice })
  end
  ok('the program is ' .. vim.fn.exepath(config.options.program))
  check_methods()
  start('novablend doctor')
  check_setup()
end

return M
