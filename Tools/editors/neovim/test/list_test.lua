local support = require('support')
local test = _G.test

local function book(...)
  support.run('book', 'Sol', support.free_time(), '--service', 'color', '--phone', '030 1234567', ...)
end

test('salons are listed, and open a week', function()
  support.start()
  vim.cmd('NovaBlend salons')
  support.wait_for('Night Owl Barbers')
  support.go_to('Night Owl Barbers')
  support.type('<CR>')
  support.wait_for('3 Temple Bar, Dublin')
  support.wait_for('3 free')
end)

test('appointments are listed, and changed by keys', function()
  support.start()
  local date = support.free_time():sub(1, 10)
  book('--with', 'ana')
  vim.cmd('NovaBlend appointments')
  support.wait_for('Color with Ana  030 1234567')
  support.go_to('Color with ')
  support.answer('Day', date)
  support.answer('Time', '10:30-12:00')
  support.answer((' %s 10:00-11:30)?'):format(date), 'Move')
  support.type('m')
  support.wait_for(' 10:30-12:00 ')
  support.answer('Cancel ', 'Cancel the appointment')
  support.type('x')
  support.wait_for('no appointments')
  assert(support.booked() == 0)
end)

test('an appointment for several seats is moved to a time with as many free seats', function()
  support.start()
  local date = os.date('!%Y-%m-%d', os.time() + 2 * 86400)
  for _, time in ipairs({ 'T18:00', 'T20:00' }) do
    support.run('book', 'Night Owl', date .. time, '--seats', '2', '--phone', '030 1234567')
  end
  vim.cmd('NovaBlend appointments')
  support.wait_for(' 18:00-18:30 ')
  support.go_to(' 18:00-18:30 ')
  support.answer('Day', date)
  -- From 20:00 to 20:30, only one seat is free.
  support.answer('Time', '20:30')
  support.answer('Move to', 'Move')
  support.type('m')
  support.wait_for(' 20:30-21:00 ')
  assert(support.booked() == 2)
end)

test('a booking asks for everything', function()
  support.start()
  support.answer('Salon', 'Peluquería Sol')
  support.answer('Service', 'Color (90 min, 52.00 EUR)')
  support.answer('Staff', 'Anyone who is free')
  support.answer('Day', ' free')
  support.answer('Time', '1')
  support.answer('Phone', '030 1234567')
  support.answer('Book ', 'Book')
  vim.cmd('NovaBlend book')
  support.wait_for_message('Booked ')
  assert(support.booked() == 1)
end)

test('a booking that is not confirmed is not made', function()
  support.start()
  support.answer('Service', 'Cut')
  support.answer('Staff', 'Ana')
  support.answer('Day', ' free')
  support.answer('Time', '1')
  support.answer('Phone', '030 1234567')
  support.answer('Book ', nil)
  vim.cmd('NovaBlend book Sol')
  support.wait('the question is asked', function() return #support.questions == 6 end)
  assert(support.gateway.changes == 0)
end)

test('if a time is taken, others are offered', function()
  support.start()
  local time = support.free_time()
  support.answer('Service', 'Color')
  support.answer('Staff', 'Ana')
  support.answer('Day', time:sub(1, 10))
  support.answer('Time', time:sub(-5) .. '-')
  support.answer('Phone', '030 1234567')
  support.answer('Book ', nil)
  vim.cmd('NovaBlend book Sol')
  support.wait('the time is chosen', function() return #support.questions == 6 end)
  book('--with', 'ana')
  support.questions = {}
  support.answer('Phone', '030 7654321')
  support.answer('taken', time:sub(1, 10))
  support.answer('Book ', 'Book')
  require('novablend.task').run(require('novablend.booking').book, {
    salonId = support.sol, serviceId = 'color', staffId = 'ana', appointmentTime = time,
  }, { id = support.sol, name = 'Peluquería Sol' })
  support.wait_for_message('Booked ')
  assert(support.booked() == 2)
end)

test('changes are watched', function()
  support.start()
  vim.cmd('NovaBlend watch')
  support.wait_for('0 appointments')
  book('--with', 'ana')
  support.wait_for('booked')
  support.wait_for('Color with Ana, Peluquería Sol')
end)

test('a name that several salons match is completed by a choice', function()
  support.start()
  support.answer('Salon', 'Atelier Nova')
  vim.cmd('NovaBlend week e')
  support.wait_for('12 Rue des Martyrs')
end)

test('a wide name is cut to its column, and the columns after it stay on the screen', function()
  support.start()
  book('--with', 'ana')
  local program, name = require('novablend.program'), nil
  local call = program.call
  program.call = function(...)
    local result, problem = call(...)
    return vim.json.decode((vim.json.encode(result):gsub('Peluquería Sol', name))), problem
  end
  for _, each in ipairs({ ('名'):rep(100), ('a'):rep(300), 'e\204\129\204\129' .. ('x'):rep(90), 'a\\tb\\nc' }) do
    name = each
    for _, columns in ipairs({ 60, 80, 120 }) do
      vim.o.columns = columns
      vim.cmd('NovaBlend appointments')
      support.wait_for('030 1234567')
      local line = support.screen():match('[^\n]*030 1234567')
      assert(vim.fn.strdisplaywidth(line) <= columns, line)
      assert(line:find(' 10:00-11:30 ', 1, true), line)
      vim.cmd('bwipeout')
    end
  end
end)

test('two salons of one name have lists of their own, which name their places', function()
  support.start()
  local program = require('novablend.program')
  local call = program.call
  program.call = function(...)
    local result, problem = call(...)
    return vim.json.decode((vim.json.encode(result):gsub('Atelier Nova', 'Peluquería Sol'))), problem
  end
  local date = support.free_time():sub(1, 10)
  for _, salon in ipairs({ 'Paris', 'Sol' }) do
    support.run('book', salon, date .. 'T12:30', '--service', 'cut', '--phone', '030 1234567')
  end
  vim.cmd('NovaBlend appointments')
  for _, place in ipairs({ '12 Rue', 'Calle' }) do support.wait_for('Peluquería…  ' .. place) end
  for _, place in ipairs({ '12 Rue des Martyrs, Paris', 'Calle de Hortaleza 40, Madrid' }) do
    vim.cmd('NovaBlend appointments ' .. place)
    support.wait_for('Appointments at Peluquería Sol, ' .. place)
    vim.cmd('NovaBlend week ' .. place)
    support.wait_for('\nPeluquería Sol, ' .. place)
    support.wait_for('free')
    support.answer('Service at Peluquería Sol, ' .. place, nil)
    support.type('b')
    support.wait('the question is asked', function() return #support.questions > 0 end)
    support.questions = {}
    support.type('q')
  end
  assert(support.screen():find('Appointments at Peluquería Sol, 12 Rue des Martyrs, Paris', 1, true))
  vim.cmd('NovaBlend salons')
  support.wait_for('Fringe Benefits')
  assert(vim.deep_equal(vim.fn.getcompletion('NovaBlend week Peluqueria', 'cmdline'), {
    'Peluquería Sol, 12 Rue des Martyrs, Paris', 'Peluquería Sol, Calle de Hortaleza 40, Madrid',
  }))
end)
