import Contract
import Domain
import Testing

@Suite("The texts of an encoded salon that people search for")
struct SalonTextTests {
    private func salon(_ change: (inout Salon) -> Void) -> Salon {
        var salon = Salon(
            id: SalonID(high: 0, low: 1),
            name: "Sol",
            location: "København",
            hours: OpeningHours(
                opens: TimeOfDay(minuteOfDay: 540),
                closes: TimeOfDay(minuteOfDay: 600)
            )
        )
        change(&salon)
        return salon
    }

    private func texts(of salon: Salon, onlyAliases: Bool = false) -> [String] {
        var texts: [String] = []
        SalonCodec.encode(salon).withUnsafeBufferPointer { salon in
            let isFound = SalonCodec.anyOtherText(of: salon, onlyAliases: onlyAliases) {
                texts.append("\($0): \(String(decoding: $1, as: UTF8.self))")
                return false
            }
            #expect(!isFound)
        }
        return texts
    }

    @Test("are its aliases, and the names of its services and staff, with and without escapes")
    func everyText() {
        for name in ["Cut", "Cut \"short\"\\", "名"] {
            let salon = salon {
                $0.phone = "1"
                $0.aliases = ["Copenhagen", "x,\(name)"]
                $0.exceptions = [
                    OpeningException(
                        dates: CalendarDate(daysSince1970: 0)...CalendarDate(daysSince1970: 1),
                        hours: []
                    )
                ]
                $0.services = [
                    Service(id: "name", name: name, minutes: 30),
                    Service(
                        id: "b",
                        name: "Color",
                        minutes: 5,
                        price: Price(amount: 1, currency: "EUR")
                    ),
                ]
                $0.staff = [
                    StaffMember(id: "staff", name: "Ana", services: ["name"]),
                    StaffMember(id: "c", name: ""),
                ]
                $0.seats = 2
            }
            let aliases = ["alias: Copenhagen", "alias: x,\(name)"]
            #expect(texts(of: salon, onlyAliases: true) == aliases)
            #expect(
                texts(of: salon) == aliases + [
                    "service: \(name)", "service: Color", "staff: Ana", "staff: ",
                ]
            )
        }
    }

    @Test("are only those that it has")
    func absent() {
        #expect(texts(of: salon { _ in }) == [])
        #expect(texts(of: salon { $0.name = "[a]" }) == [])
        #expect(texts(of: salon { $0.aliases = [""] }) == ["alias: "])
        let staff = salon { $0.staff = [StaffMember(id: "a", name: "Ana")] }
        #expect(texts(of: staff) == ["staff: Ana"])
        let services = salon { $0.services = [Service(id: "a", name: "Cut", minutes: 5)] }
        #expect(texts(of: services) == ["service: Cut"])
    }

    @Test("are given until one is accepted")
    func found() {
        let salon = salon { $0.aliases = ["a", "b", "c"] }
        var count = 0
        SalonCodec.encode(salon).withUnsafeBufferPointer { salon in
            let isFound = SalonCodec.anyOtherText(of: salon) { _, text in
                count += 1
                return text.elementsEqual("b".utf8)
            }
            #expect(isFound && count == 2)
        }
    }
}
