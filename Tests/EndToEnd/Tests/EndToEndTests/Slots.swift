import Foundation
import Synchronization

/// Generates times at the sample salon, each in a different slot.
final class Slots: Sendable {
    private let next = Mutex(0)

    /// The time of the next slot, and the JSON members of a booking at that time.
    func take() -> (time: String, members: String) {
        let number = next.withLock { number in
            number += 1
            return number - 1
        }
        let (day, slot) = (number / 20 + 2, number % 20)
        let date = Date(timeIntervalSinceNow: Double(day) * 86_400).formatted(
            .iso8601.year().month().day()
        )
        let minutes = slot % 2 == 0 ? "00" : "30"
        let time = "\(date)T\(10 + slot / 2):\(minutes):00+0000"
        let salon = #""salonId":"\#(Sample.salon)""#
        return (time, #"\#(salon),"appointmentTime":"\#(time)","phone":"+49 30 1234567""#)
    }
}
