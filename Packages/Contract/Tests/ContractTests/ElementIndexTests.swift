import Contract
import Domain
import JSON
import SystemTestSupport
import Testing

@Suite("The elements of an encoded list")
struct ElementIndexTests {
    private typealias Bytes = EncodedListCodec<SalonListCodec>

    private static let byName = ElementHash("name") { salon in
        salon.withUnsafeBufferPointer { salon in
            SalonCodec.withTexts(of: salon) { name, _ in ElementHash.hash(of: Array(name)[...]) }
        }
    }

    private func salon(_ number: Int, _ name: String = "Sol", version: Int? = nil) -> Salon {
        var salon = Salon(
            id: SalonID(high: 0, low: UInt64(number)),
            name: name,
            location: "Ú \"\(number)\"",
            hours: OpeningHours(
                opens: TimeOfDay(minuteOfDay: 0),
                closes: TimeOfDay(minuteOfDay: 0)
            )
        )
        salon.version = version
        return salon
    }

    /// Whether all elements of `list` are those of `salons`, and are found by id and by name.
    private func expect(
        _ list: EncodedList<SalonListCodec>,
        toEqual salons: [Salon],
        _ comment: Comment? = nil
    ) throws {
        #expect(try list.models() == salons, comment)
        #expect(list.numbers == 0..<salons.count && list.count == salons.count, comment)
        for (number, salon) in salons.enumerated() {
            #expect(try SalonCodec.read(list.element(number)) == salon, comment)
            #expect(list.id(of: number) == salon.id.description, comment)
            let same = salons.indices.filter { salons[$0].id == salon.id }
            #expect(list.numbers(ofID: salon.id.description) == same, comment)
            let areTexts = list[number].withUnsafeBufferPointer { element in
                SalonCodec.withTexts(of: element) { name, location in
                    name.elementsEqual(salon.name.utf8)
                        && location.elementsEqual(salon.location.utf8)
                }
            }
            #expect(areTexts, comment)
            let hash = ElementHash.hash(of: Array(salon.name.utf8)[...])
            let named = salons.indices.filter { salons[$0].name == salon.name }
            #expect(list.numbers(hash, by: Self.byName) == named, comment)
        }
    }

    @Test("are found by their ids and names", arguments: [0, 1, 2, 100])
    func found(count: Int) throws {
        let salons = (0..<count).map { salon($0, $0 % 3 == 0 ? "A \"\\ b" : "ß\($0)") }
        try expect(EncodedList(salons), toEqual: salons)
        #expect(EncodedList<SalonListCodec>(salons).numbers(ofID: "") == [])
        #expect(try EncodedList<SalonListCodec>(salons).model(salon(count).id) == nil)
    }

    @Test("with the same id are all found, and the first of them is the salon with this id")
    func duplicates() throws {
        let salons = [salon(1, "a"), salon(2, "b"), salon(1, "c")]
        let list = EncodedList<SalonListCodec>(salons)
        try expect(list, toEqual: salons)
        #expect(try list.model(salon(1).id) == salons[0])
    }

    @Test("are found after any changes, as in a list that was made anew")
    func histories() throws {
        var random = SeededGenerator()
        for run in 0..<50 {
            var salons: [Salon] = []
            var list = EncodedList<SalonListCodec>(salons)
            for step in 0..<20 {
                let changed = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    salon(
                        Int.random(in: 0..<12, using: &random),
                        ["a", "b", "c\""].randomElement(using: &random) ?? "",
                        version: Bool.random(using: &random)
                            ? Int.random(in: 0...2, using: &random) : nil
                    )
                }
                let deleted = Set(
                    (0..<Int.random(in: 0...2, using: &random)).map { _ in
                        salon(Int.random(in: 0..<12, using: &random)).id
                    }
                )
                // Only a part of the histories have tables to update.
                if run % 2 == 0 { try expect(list, toEqual: salons) }
                let own = Set(
                    (0..<12).filter { _ in Bool.random(using: &random) }.map { salon($0).id }
                )
                list = try Bytes.apply(
                    EncodedList(changed),
                    deleting: deleted,
                    unlessOlderThan: own,
                    to: list
                )
                salons = Self.applied(changed, deleted, own, to: salons)
                #expect(list == EncodedList(salons))
                try expect(list, toEqual: salons, "run \(run), step \(step), \(random)")
            }
        }
    }

    /// What the list should be after changes, from the rules alone.
    private static func applied(
        _ changed: [Salon],
        _ deleted: Set<SalonID>,
        _ own: Set<SalonID>,
        to list: [Salon]
    ) -> [Salon] {
        var list = list.filter { !deleted.contains($0.id) }
        let last = changed.enumerated().filter { number, salon in
            !changed[(number + 1)...].contains { $0.id == salon.id }
        }
        for (_, new) in last {
            guard let place = list.firstIndex(where: { $0.id == new.id }) else {
                list.append(new)
                continue
            }
            let isOlder = (new.version ?? .max) < (list[place].version ?? .min)
            if !isOlder || !own.contains(new.id) { list[place] = new }
        }
        return list
    }

    @Test("have an index that takes up at most a quarter of the shortest elements")
    func size() throws {
        let list = EncodedList<SalonListCodec>(
            (0..<10_000).map { number in
                var salon = salon(number, "")
                salon.location = ""
                return salon
            }
        )
        #expect(list.memorySize == list.bytes.count)
        _ = list.numbers(ofID: "")
        _ = list.numbers(0, by: Self.byName)
        #expect(list.memorySize > list.bytes.count)
        #expect(list.memorySize <= list.bytes.count * 5 / 4)
    }

    @Test("without an id are not found, and are copied when others change")
    func withoutID() throws {
        typealias Appointments = EncodedListCodec<AppointmentListCodec>
        let text =
            #"{"salonId":"\#(salon(1).id)","phone":"1","appointmentTime":"2027-03-02T11:24:59Z""#
        func list(_ elements: String...) throws -> EncodedList<AppointmentListCodec> {
            try Appointments.decode(
                Array("{\"appointments\":[\(elements.joined(separator: ","))]}".utf8)
            )
        }
        let old = try list(text + "}", text + #","id":"a"}"#)
        let new = try Appointments.apply(
            list(text + #","id":"b"}"#),
            deleting: [ElementKey("a")],
            unlessOlderThan: [],
            to: old
        )
        #expect(new == (try list(text + "}", text + #","id":"b"}"#)))
        #expect(new.numbers(ofID: "a") == [] && new.numbers(ofID: "b") == [1])
        #expect(new.id(of: 0) == nil)
    }
}
