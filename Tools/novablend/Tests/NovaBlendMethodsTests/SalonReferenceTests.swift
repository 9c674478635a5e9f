import Contract
import Domain
import JSONRPC
import NovaBlendAdapters
import Testing

@testable import NovaBlendMethods

@Suite("A salon that a call names by text")
struct SalonReferenceTests {
    private func salons(_ names: String...) -> EncodedList<SalonListCodec> {
        let hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 540),
            closes: TimeOfDay(minuteOfDay: 600)
        )
        return EncodedList<SalonListCodec>(
            names.enumerated().map { index, name in
                let id = SalonID(high: 0, low: UInt64(index))
                return Salon(id: id, name: name, location: "x", hours: hours)
            }
        )
    }

    @Test(
        "is the one with the same accents, then with the same letters regardless of case",
        arguments: [
            ("Zoe", "Zoe"), ("Zo\u{EB}", "Zo\u{EB}"), ("Zoe\u{308}", "Zo\u{EB}"), ("zoe", "Zoe"),
            ("ZO\u{CB}", "Zo\u{EB}"), (" Zoe\u{A0}", "Zoe"),
        ]
    )
    func accents(text: String, name: String) throws {
        let list = salons("Zoe", "Zo\u{EB}", "Zoe's")
        #expect(try SalonReference.find(text, in: list, parameter: "salonId")?.name == name)
    }

    @Test("is ambiguous if no name is written in the same way, or several are")
    func ambiguous() {
        for (list, text) in [
            (salons("Zo\u{E8}", "Zo\u{EB}"), "Zoe"), (salons("Uno", "Uno", "uno"), "Uno"),
            (salons("UNO", "Uno"), "uno"),
        ] {
            #expect(throws: RPCError.self) {
                try SalonReference.find(text, in: list, parameter: "salonId")
            }
        }
    }
}
