---@meta

--- What the methods return, as far as the plugin uses it. docs/Methods.md describes everything.

---@class novablend.Salon
---@field id string
---@field name string
---@field location? string
---@field phone? string
---@field hours? string
---@field time_zone? string
---@field services? novablend.Service[]
---@field staff? novablend.StaffMember[]
---@field seats? integer how many appointments it can have at a time where there is no staff; 1 if absent

---@class novablend.Service
---@field id string
---@field name string
---@field minutes integer
---@field price? { text: string? }

---@class novablend.StaffMember
---@field id string
---@field name string
---@field services? string[] ids; all if absent

---@class novablend.Appointment
---@field id? string
---@field version? integer
---@field status? string
---@field salonId string
---@field start string on the salon's clock, with its offset
---@field end? string absent if the length is not known
---@field weekday string
---@field price? string
---@field phone? string
---@field serviceId? string
---@field staffId? string
---@field staffAssigned? boolean
---@field seats? integer
---@field service? string
---@field staff? string
---@field salonName? string
---@field own? boolean

---@class novablend.Provenance
---@field source 'server'|'revalidated'|'cache'|'none'
---@field complete? boolean
---@field ageSeconds? integer
---@field serverError? string
---@field warning? string

---@class novablend.Availability
---@field timeZone? string
---@field provenance? novablend.Provenance
---@field days novablend.Day[]

---@class novablend.Day
---@field date string
---@field weekday? string
---@field hours? string
---@field reason? string
---@field present? { state: string } what became of the appointment since then
---@field slots novablend.Slot[]

---@class novablend.Slot
---@field appointmentTime string the time on the salon's clock, with its offset
---@field end? string absent if the length is not known
---@field openingDay? string the day before, if the salon is open past midnight
---@field state 'free'|'unconfirmed'|'taken'|'own'
---@field free? integer how many staff members or seats are free
---@field staff? string[] the ids of the staff members who are free

--- A notification resource/didChange.
---@class novablend.Change
---@field resource string
---@field offline? boolean true if the server has stopped answering, false if it answers again
---@field reason? string why it does not answer

---@class novablend.Resolution
---@field idempotencyKey string
---@field action 'book'|'reschedule'|'cancel'
---@field outcome string
---@field appointment? novablend.Appointment
---@field reason? string
---@field present? { state: string } what became of the appointment since then
