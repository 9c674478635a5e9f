import Contract
import JSON
import Testing

@Suite("The schema of a codec")
struct SchemaTests {
    /// A codec with payloads that together have every member.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let schema: JSONSchema
        let payloads: [String]
        /// Reads a payload and writes it again; nil if the codec rejects it.
        let rewrite: @Sendable ([UInt8]) -> [UInt8]?

        init<Codec: ModelCodec>(_ codec: Codec.Type, _ payloads: String...) {
            testDescription = "\(codec)"
            schema = Codec.schema
            self.payloads = payloads
            rewrite = { (try? Codec.decode($0)).map { Codec.encode($0) } }
        }
    }

    private static let id = #""id":"1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01""#
    private static let booking = """
        "salonId":"1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01",\
        "appointmentTime":"2024-10-20T11:24:59+0000","phone":"1","email":"a@b.c","notes":"n",\
        "serviceId":"c","staffId":"ana","seats":2
        """
    private static let exceptions = """
        [{"date":"2026-12-24","closed":true},\
        {"date":"2026-12-31","open_time":10,"close_time":13.30,"closed":false,"intervals":null},\
        {"date":"2026-12-30","intervals":[["09:00","12:00"]],"open_time":9,"close_time":12}]
        """
    // Days without neighbors, so that no replaced time makes intervals overlap.
    private static let weekly = #"{"mon":[["09:00","12:30"]],"wed":[],"fri":[["22:00","02:00"]]}"#
    private static let service = """
        {"id":"c","name":"n","minutes":45,"buffer_before":5,"buffer_after":10,\
        "price":{"amount":4500,"currency":"EUR"}}
        """
    private static let member = #"""
        {"id":"ana","name":"n","services":["c"],"weekly":\#(weekly),"exceptions":\#(exceptions)}
        """#
    private static let plainSalon = """
        {\(id),"name":"n","location":"l","open_time":9,"close_time":22.30,"seats":3,\
        "services":[{"id":"c","name":"n","minutes":45}]}
        """
    private static let salon = """
        {\(id),"name":"n","location":"l","phone":"1","open_time":9.30,"close_time":22.30,\
        "slot_minutes":5,"time_zone":"America/Argentina/Ushuaia","lead_minutes":1,\
        "furthest_days":1,"max_active_per_customer":1,"max_per_day_per_customer":1,"version":1,"exceptions":\(exceptions),"weekly":\(weekly),\
        "services":[\(service)],"staff":[\(member)],"seats":3}
        """
    private static let slot = """
        {"start":"0001-01-01T00:00:00Z","end":"2999-10-20T11:24-0130","available":true,"free":1,\
        "staff":[{"id":"ana","free":true},{"id":"bo","free":false,"rule":"taken"}]}
        """
    private static let image = #""image":"https://a.example/b.png""#

    static let cases = [
        Case(SalonCodec.self, salon),
        Case(SalonListCodec.self, #"{"salons":[\#(plainSalon)]}"#),
        Case(EncodedListCodec<SalonListCodec>.self, #"{"salons":[\#(plainSalon)]}"#),
        Case(OpeningHoursCodec.self, #"["09:00","12:30"]"#),
        Case(DayHoursCodec.self, #"[["09:00","12:30"]]"#),
        Case(WeeklyHoursCodec.self, weekly),
        Case(PriceCodec.self, #"{"amount":0,"currency":"EUR"}"#),
        Case(ServiceCodec.self, service),
        Case(StaffMemberCodec.self, member),
        Case(LocalIDCodec.self, #""ana""#),
        Case(BookingOptionsCodec.self, #"{"serviceId":"c","staffId":"ana","seats":2}"#),
        Case(BookingRequestCodec.self, #"{\#(booking),"holdId":"h"}"#),
        Case(HoldCodec.self, #"{"id":"h","expiresAt":"2026-11-24T09:05:00Z","staffId":"ana"}"#),
        Case(
            StaffAvailabilityCodec.self,
            #"{"id":"ana","free":true}"#,
            #"{"id":"bo","free":false,"rule":"taken"}"#
        ),
        Case(
            AppointmentCodec.self,
            #"{"id":"a","version":1,"status":"cancelled",\#(booking),"staffAssigned":true}"#,
            #"{\#(booking),"staffAssigned":false,"endTime":"2024-10-20T12:09:59+0000"}"#,
            #"{"status":7,\#(booking)}"#
        ),
        Case(AppointmentListCodec.self, #"{"appointments":[{\#(booking)}]}"#),
        Case(SlotCodec.self, slot),
        Case(SlotListCodec.self, #"{"slots":[\#(slot)]}"#, #"{"slots":[],"salonVersion":3}"#),
        Case(FeedCodec.self, #"{"items":[{\#(id),"description":"d","location":"l",\#(image)}]}"#),
        Case(MenuCodec.self, #"{"items":[{\#(id),"name":"n","description":"d",\#(image)}]}"#),
        Case(
            MovieListCodec.self,
            #"{"items":[{"id":"1","title":"t","overview":"o","releaseDate":"2027-02-11"}]}"#,
            #"{"items":[{"id":"1","title":"t",\#(image)}]}"#,
            #"{"items":[{"id":1,"title":"t"}]}"#
        ),
    ]

    /// Values of each kind, and texts and numbers at the bounds of the codecs and next to them.
    private static let replacements: [JSONTree] =
        [.null, .bool(true), .bool(false), .object([]), .array([]), .array([.null])]
        + [
            "", "x", "x:", "x:y", "x: y", "x:\u{7F}", "1x:y", "é:y", "x:é", "Europe//Berlin", "a b",
            "EUR", "eur", "EURO", "EÜR", "\u{7F}", "é", "09:30", "23:59", "9:30", "09:60", "25:00",
            "09:30:00", "24:01",
            "2026-12-24", "2026-12-24 ", "2026-12-24\n", "2026-00-24", "2026-13-24", "2026-12-32",
            "2026-1-24", "20261-12-24", "cancelled", "٢٠٢٦-12-24",
            "0000-12-24", "0001-01-01", "0000-10-20T11:24Z",
            "2024-10-20T11:24Z", "2024-10-20t11:24z", "2024-10-20T11:24", "2024-10-20 11:24Z",
            "2024-10-20T24:00Z", "2024-10-20T23:59:59.000+23:59", "2024-10-20T23:59:60Z",
            "2024-10-20T23:60Z", "2024-10-20T23:59:59.5Z", "2024-10-20T23:59:59.Z",
            "2024-10-20T23:59:59,0-0000", "2024-10-20T23:59+24:00", "2024-10-20T23:59+2360",
            "1F0A6C0E-5B7C-4D8E-9A55-0C5B3E8A4D01", "1f0a6c0e5b7c4d8e9a550c5b3e8a4d01",
            "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d0", "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d012",
            "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d0g", "1f0a6c0e-5b7c-4d8e-9a550-c5b3e8a4d01",
            String(repeating: "z", count: 64), String(repeating: "z", count: 65),
            "x:" + String(repeating: "y", count: 8_190),
            "x:" + String(repeating: "y", count: 8_191),
        ].map { .string($0) }
        + [-1, 0, 1, 4, 5, 23, 24, 1_000, 1_001, 1_440, 1_441, 3_660, 3_661, 527_040, 527_041].map {
            .integer($0)
        }
        + [-1e-9, 23.59, 23.590_000_001, 23.6, 1.5, 1e300].map { .number($0) }

    @Test("accepts what the codec writes", arguments: cases)
    func written(codec: Case) throws {
        let validator = try SchemaValidator(codec.schema)
        for payload in codec.payloads {
            let bytes = try #require(codec.rewrite(Array(payload.utf8)), "\(payload)")
            let written = String(decoding: bytes, as: UTF8.self)
            #expect(try validator.accepts(JSONTree(written)), "\(written)")
        }
    }

    @Test("accepts exactly what the codec reads, wherever a value is replaced", arguments: cases)
    func replaced(codec: Case) throws {
        let validator = try SchemaValidator(codec.schema)
        var counts = (accepted: 0, rejected: 0)
        for payload in codec.payloads {
            let tree = try JSONTree(payload)
            for variant in Self.replacements.flatMap({ tree.variants(replacingWith: $0) }) {
                let isRead = codec.rewrite(variant.bytes) != nil
                let isAccepted = try validator.accepts(variant)
                if isRead { counts.accepted += 1 } else { counts.rejected += 1 }
                #expect(
                    isAccepted == isRead,
                    "\(String(decoding: variant.bytes, as: UTF8.self).prefix(1_000))"
                )
            }
        }
        #expect(counts.accepted > 0 && counts.rejected > 0)
    }

    @Test(
        "accepts a few values that the codec rejects because a schema cannot describe them",
        arguments: [
            (SalonCodec.schema, salon.replacing("9.30", with: "9.75")),
            (SalonCodec.schema, salon.replacing("2026-12-24", with: "2026-02-30")),
            (SalonCodec.schema, salon.replacing("\"22:00\"", with: "\"24:00\"")),
            (
                SalonCodec.schema,
                salon.replacing(#"["22:00""#, with: #"["02:00","02:00"],["01:00""#)
            ),
            (SalonCodec.schema, salon.replacing("[\(service)", with: "[\(service),\(service)")),
            (SlotCodec.schema, slot.replacing("2999-10-20T11:24-0130", with: "0001-01-01T00:00Z")),
        ]
    )
    func notDescribed(schema: JSONSchema, payload: String) throws {
        #expect(try SchemaValidator(schema).accepts(JSONTree(payload)))
        let codec = try #require(Self.cases.first { $0.schema == schema })
        #expect(codec.rewrite(Array(payload.utf8)) == nil)
    }
}
