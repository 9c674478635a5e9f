import CivilTime
import ICalendar

let start = Timestamp(secondsSince1970: 1_792_230_300)
let event = CalendarEvent(
    uid: "17@salon.example",
    stamp: start,
    start: start,
    end: start.advanced(bySeconds: 1_800),
    summary: "Haircut"
)
let text = String(
    decoding: CalendarWriter.write([event], productID: "-//Example//Bookings 1.0//EN"),
    as: UTF8.self
)
precondition(text.contains("\r\nSUMMARY:Haircut\r\n"))
