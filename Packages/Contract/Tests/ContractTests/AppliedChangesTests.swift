import Contract
import Domain
import Testing

@Suite("Changes of a list")
struct AppliedChangesTests {
    private typealias Encoded = EncodedListCodec<SalonListCodec>

    private func id(_ number: Int) -> SalonID { SalonID(high: 0, low: UInt64(number)) }

    private func salon(_ number: Int, _ name: String, version: Int? = nil) -> Salon {
        let midnight = TimeOfDay(minuteOfDay: 0)
        var salon = Salon(
            id: id(number),
            name: name,
            location: "x",
            hours: OpeningHours(opens: midnight, closes: midnight)
        )
        salon.version = version
        return salon
    }

    /// The names of the salons after the changes, which both codecs must agree on.
    private func names(
        _ list: [Salon],
        _ changed: [Salon],
        deleted: Set<SalonID> = [],
        own: Set<SalonID> = []
    ) throws -> [String] {
        let salons = try SalonListCodec.apply(
            changed,
            deleting: deleted,
            unlessOlderThan: own,
            to: list
        )
        let encoded = try Encoded.apply(
            EncodedList(changed),
            deleting: deleted,
            unlessOlderThan: own,
            to: EncodedList(list)
        )
        #expect(try encoded.models() == salons)
        return salons.map(\.name)
    }

    @Test("replace an element, whatever its version, because the cursor is later")
    func versions() throws {
        let list = [salon(1, "a", version: 5), salon(2, "b")]
        for version in [nil, 4, 5, 6] {
            #expect(try names(list, [salon(1, "new", version: version)]) == ["new", "b"])
        }
    }

    @Test("replace an own change only with the same version or a later one")
    func ownChange() throws {
        let list = [salon(1, "a", version: 5), salon(2, "b")]
        for (version, expected) in [(4, "a"), (5, "new"), (6, "new"), (nil, "new")] {
            let new = salon(1, "new", version: version)
            #expect(try names(list, [new], own: [new.id]) == [expected, "b"])
        }
        // An own element without a version is never newer.
        #expect(
            try names(list, [salon(2, "new", version: 1)], own: [id(2)]) == ["a", "new"]
        )
    }

    @Test("of one element are those of the last of them, and new ones come at the end")
    func several() throws {
        let list = [salon(1, "a"), salon(2, "b")]
        let changed = [salon(1, "first"), salon(3, "c"), salon(1, "last"), salon(3, "d")]
        #expect(try names(list, changed) == ["last", "b", "d"])
    }

    @Test("leave no second element with the id of a changed or deleted one")
    func duplicates() throws {
        let list = [salon(1, "a"), salon(2, "b"), salon(1, "c"), salon(2, "d")]
        #expect(try names(list, [salon(1, "new")]) == ["new", "b", "d"])
        #expect(try names(list, [], deleted: [id(2)]) == ["a", "c"])
    }

    @Test("of appointments find the ids of UUIDs in any letter case, and other ids as they are")
    func appointmentIDs() throws {
        let upper = "5A100000-0000-4000-8000-00000000000F"
        func appointment(_ id: String, _ phone: String) -> String {
            #"{"id":"\#(id)","salonId":"\#(upper)","phone":"\#(phone)","#
                + #""appointmentTime":"2027-03-02T11:24:59Z"}"#
        }
        func list(_ elements: String...) throws -> [Appointment] {
            let text = "{\"appointments\":[\(elements.joined(separator: ","))]}"
            return try AppointmentListCodec.decode(Array(text.utf8))
        }
        let old = try list(appointment(upper, "1"), appointment("Ab", "2"), appointment("aB", "3"))
        #expect(old.map(\.id) == ["5a100000-0000-4000-8000-00000000000f", "Ab", "aB"])
        let new = try AppointmentListCodec.apply(
            list(appointment(upper.lowercased(), "4")),
            deleting: [ElementKey("Ab")],
            unlessOlderThan: [],
            to: old
        )
        #expect(new.map(\.booking.phone) == ["4", "3"])
        let none = try AppointmentListCodec.apply(
            [],
            deleting: [ElementKey(upper)],
            unlessOlderThan: [],
            to: old
        )
        #expect(none.map(\.id) == ["Ab", "aB"])
    }
}
