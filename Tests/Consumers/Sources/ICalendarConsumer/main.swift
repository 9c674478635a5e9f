import CivilTime
import ICalendar

let start = Timestamp(secondsSince1970: 1_792_230_300)
let event = CalendarEvent(
    uid: "17@salon.example",
    stamp: start,
    start: start,
    end: start.advanced(bySeconds: 1_800),
    summary: "Haircut",
    location: "Torstraße 12, Berlin"
)
let bytes = CalendarWriter.write([event], productID: "-//Example//Bookings 1.0//EN")
precondition(String(decoding: bytes, as: UTF8.self).contains("\r\nSUMMARY:Haircut\r\n"))
