import Contract
import Domain
import JSON
import Testing

@Suite("The pages of a list")
struct JoinedPagesTests {
    private typealias Salons = EncodedListCodec<SalonListCodec>

    private func movies(_ text: String) -> [Movie] {
        text.map { Movie(id: $0.lowercased(), title: "\($0)") }
    }

    private func titles(_ pages: String...) throws -> String {
        try MovieListCodec.join(pages.map(movies)).map(\.title).joined()
    }

    @Test("are joined in their order")
    func order() throws {
        #expect(try titles() == "" && titles("") == "" && titles("ab") == "ab")
        #expect(try titles("ab", "", "c", "dë") == "abcdë")
    }

    @Test("have one element per id, the one on the last page that has it")
    func overlap() throws {
        #expect(try titles("abc", "Cd", "e") == "abCde")
        #expect(try titles("ab", "Bc", "bA") == "cbA")
    }

    @Test("have the last of the elements of one page that have the same id")
    func samePage() throws {
        #expect(try titles("aAb") == "Ab" && titles("aAb", "c") == "Abc")
        #expect(try titles("aAb", "cCb") == "ACb")
    }

    private func salons(_ names: String) -> [Salon] {
        names.map { name in
            Salon(
                id: SalonID(high: 1, low: UInt64(name.lowercased().utf8.first ?? 0)),
                name: "\(name) \"[,]{}\"",
                location: "l",
                hours: OpeningHours(
                    opens: TimeOfDay(minuteOfDay: 540),
                    closes: TimeOfDay(minuteOfDay: 600)
                )
            )
        }
    }

    @Test(
        "of salons are joined as bytes, with the same result as joining the models",
        arguments: [
            [], [""], ["", ""], ["ab"], ["ab", "c"], ["", "ab", "", "c", ""], ["ab", "Bc"],
        ]
    )
    func salonBytes(pages: [String]) throws {
        let models = try SalonListCodec.join(pages.map(salons))
        let joined = try Salons.join(pages.map { EncodedList(salons($0)) })
        #expect(joined == EncodedList(models))
        #expect(try joined.models() == models && joined.count == models.count)
    }

    private func salon(_ number: UInt64, _ name: String) -> Salon {
        let midnight = TimeOfDay(minuteOfDay: 0)
        return Salon(
            id: SalonID(high: 0, low: number),
            name: name,
            location: "x",
            hours: OpeningHours(opens: midnight, closes: midnight)
        )
    }

    @Test("have each element once, also within a page, in the version that comes last")
    func twiceOnPage() throws {
        let models = [
            [salon(1, "a"), salon(2, "b"), salon(1, "c")],
            [salon(3, "d"), salon(3, "e"), salon(2, "f")],
        ]
        #expect(try SalonListCodec.join(models).map(\.name) == ["c", "e", "f"])
        #expect(try SalonListCodec.join([models[0]]).map(\.name) == ["b", "c"])
        let single = try EncodedListCodec<SalonListCodec>.join([EncodedList(models[0])])
        #expect(try single.models().map(\.name) == ["b", "c"])
        let joined = try EncodedListCodec<SalonListCodec>.join(models.map { EncodedList($0) })
        #expect(try joined.models().map(\.name) == ["c", "e", "f"])
    }

    private func appointment(_ minute: Int64, id: String? = nil) -> Appointment {
        let time = AppointmentTime(instant: Timestamp(secondsSince1970: minute * 60))
        let booking = BookingRequest(salonID: SalonID(high: 1, low: 2), time: time, phone: "12345")
        return Appointment(booking: booking, id: id)
    }

    @Test("of appointments retain all elements without an id, even equal ones")
    func withoutID() throws {
        let pages = [[appointment(1), appointment(2, id: "x")], [appointment(1)]]
        #expect(try AppointmentListCodec.join(pages) == pages.flatMap(\.self))
        let moved = [[appointment(2, id: "x"), appointment(1)], [appointment(3, id: "x")]]
        #expect(try AppointmentListCodec.join(moved) == [appointment(1), appointment(3, id: "x")])
    }

    @Test("of a lookup have one appointment per id")
    func reported() {
        let pages = [
            [appointment(1, id: "x"), appointment(1, id: "y")], [appointment(2, id: "x")],
        ]
        .map { $0.map { ReportedAppointment($0) } }
        let joined = ReportedAppointmentListCodec.join(pages)
        #expect(joined.isCertain && joined.appointments == [pages[0][1], pages[1][0]])
        let twice = ReportedAppointmentListCodec.join([[pages[0][0], pages[1][0]]])
        #expect(twice.isCertain && twice.appointments == [pages[1][0]])
    }

    @Test("of a lookup are uncertain if an appointment without an id may be on two of them")
    func uncertain() {
        let one = ReportedAppointment(appointment(1))
        let two = ReportedAppointment(appointment(2))
        var changed = one
        changed.note = "new"
        let joined = ReportedAppointmentListCodec.join([[one, two], [changed]])
        #expect(!joined.isCertain && joined.appointments == [two, changed])
        for certain in [[[one, one]], [[one, one], [two]], [[one], [two], []], [[]], []] {
            let joined = ReportedAppointmentListCodec.join(certain)
            #expect(joined.isCertain && joined.appointments == certain.flatMap(\.self))
        }
    }
}
