import DomainTestSupport
import Testing

@testable import Domain

@Suite("Two booking requests")
struct SameBookingTests {
    private let request = Samples.booking()

    private func changed(_ change: (inout BookingRequest) -> Void) -> BookingRequest {
        var other = request
        change(&other)
        return other
    }

    @Test("are the same booking if salon, instant, and phone match, regardless of email and note")
    func sameBooking() {
        #expect(changed { ($0.email, $0.note) = (nil, nil) }.isSameBooking(as: request))
        #expect(changed { $0.phone = "030 1234567" }.isSameBooking(as: request))
        #expect(!changed { $0.phone = "+49 30 7654321" }.isSameBooking(as: request))
        #expect(!changed { $0.salonID = Samples.salonID(2) }.isSameBooking(as: request))
        let later = AppointmentTime(instant: request.time.instant.advanced(bySeconds: 1))
        #expect(!changed { $0.time = later }.isSameBooking(as: request))
    }

    @Test("are equivalent only if email and note are the same, too")
    func equivalent() {
        #expect(request.isEquivalent(to: request))
        #expect(!changed { $0.phone = "+49 30 7654321" }.isEquivalent(to: request))
        #expect(!changed { $0.email = "eve@example.com" }.isEquivalent(to: request))
        #expect(!changed { $0.email = nil }.isEquivalent(to: request))
        #expect(!changed { $0.note = "a different note" }.isEquivalent(to: request))
        #expect(!changed { $0.note = nil }.isEquivalent(to: request))
    }

    @Test("are for the same slot if they start in the same minute at the same salon")
    func sameSlot() {
        func seconds(_ seconds: Int64) -> BookingRequest {
            changed { $0.time = .init(instant: request.time.instant.advanced(bySeconds: seconds)) }
        }
        #expect(seconds(59).isSameSlot(as: request))
        #expect(!seconds(60).isSameSlot(as: request))
        #expect(!seconds(-1).isSameSlot(as: request))
        #expect(!changed { $0.salonID = Samples.salonID(2) }.isSameSlot(as: request))
    }
}
