import BookingStorage
import Contract
import Domain
import JSON
import Testing

@testable import BackendKit

@Suite("The size of a page")
struct PageBudgetTests {
    private func count(limit: Int, bytes: Int) -> Int {
        var budget = PageBudget(limit: limit)
        return (0..<2_000).prefix { _ in budget.take(bytes: bytes) }.count
    }

    @Test("is limited by the number of elements")
    func elements() {
        #expect(count(limit: 1, bytes: 10) == 1)
        #expect(count(limit: 1_000, bytes: 500) == 1_000)
    }

    @Test("is limited to about 512 KiB, but a page has at least one element")
    func bytes() {
        #expect(count(limit: 1_000, bytes: 1 << 10) == 512)
        #expect(count(limit: 1_000, bytes: (1 << 10) + 1) == 512)
        #expect(count(limit: 1_000, bytes: (1 << 10) - 1) == 513)
        #expect(count(limit: 1_000, bytes: 1 << 30) == 1)
    }

    @Test(
        "of slots is limited by their length and by a million examined staff members",
        arguments: [
            (0, false, 4_766), (0, true, 4_766), (1, false, 4_766), (209, false, 4_766),
            (210, false, 4_761), (1_500, false, 666), (1, true, 3_013), (1_500, true, 6),
            (500_000, false, 2), (500_001, false, 1), (20_000, true, 1),
        ]
    )
    func slots(staff: Int, isExplained: Bool, expected: Int) throws {
        let salon = AlwaysOpenBackend.salon { salon in
            salon.staff = (0..<staff).map { StaffMember(id: "member-\($0)", name: "n") }
        }
        let schedule = Schedule(of: salon, on: .offset(minutes: 0), precision: .grains)
        let requirement = try schedule.requirement(for: BookingOptions())
        let count = PageBudget.slotCount(for: requirement, isExplained: isExplained)
        #expect(count == expected)
    }

    @Test("is estimated for a salon with all its hours, services, and staff")
    func salon() {
        let hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 600),
            closes: TimeOfDay(minuteOfDay: 720)
        )
        let week = WeeklyHours(
            Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, [hours, hours]) })
        )
        let days = (0..<30).map { index in
            OpeningException(
                date: CalendarDate(daysSince1970: 20_000 + index),
                hours: [hours, hours]
            )
        }
        let ids = (0..<30).map { "service-\($0)" }
        let price = Price(amount: 4_500, currency: "EUR")
        var salon = SampleSalons.all[0]
        salon.weekly = week
        salon.exceptions = days
        salon.services = ids.map { id in
            Service(
                id: id,
                name: "Color",
                minutes: 60,
                bufferBefore: 5,
                bufferAfter: 5,
                price: price
            )
        }
        salon.staff = (0..<20).map { number in
            StaffMember(
                id: "staff-\(number)",
                name: "Ana",
                services: ids,
                weekly: week,
                exceptions: days
            )
        }
        expectEstimate(salon.approximateBytes, of: SalonCodec.encode(salon))
    }

    @Test("is estimated for an appointment with all its fields")
    func appointment() {
        let time = AppointmentTime(instant: Timestamp(secondsSince1970: 1_800_000_000))
        let stored = StoredAppointment(
            id: SampleSalons.all[0].id.description,
            booking: BookingRequest(
                salonID: SampleSalons.all[0].id,
                time: time,
                phone: "+49 30 1234567",
                email: "ada@example.com",
                note: String(repeating: "x", count: 100),
                options: BookingOptions(serviceID: "color", staffID: "ana")
            ),
            minutes: 60,
            bufferBefore: 5,
            serviceName: "Color",
            price: Price(amount: 5_200, currency: "EUR"),
            idempotencyKey: SampleSalons.all[0].id.description
        )
        let json = JSONFragment { ServedAppointment.write(stored, to: &$0) }.bytes
        expectEstimate(stored.approximateBytes, of: json)
    }

    private func expectEstimate(_ estimate: Int, of json: [UInt8]) {
        let tolerance = json.count / 4
        #expect(abs(estimate - json.count) <= tolerance, "\(estimate) of \(json.count)")
    }
}
