import Domain
import JSON
import JSONRPC
import SystemSupport
import Testing

@testable import NovaBlendMethods

@Suite("The program's errors")
struct ProgramErrorTests {
    @Test("each error has its own code")
    func codes() {
        #expect(Set(ProgramError.allCases.map(\.code)).count == ProgramError.allCases.count)
    }

    @Test("failed writes to the cache, a file, and the journal are three different errors")
    func writing() throws {
        let cache = RPCError(Failure.cache(.insertion, reason: "r"))
        let file = ProgramError.fileNotWritten.error("r")
        let journal = RPCError(Failure.journal(reason: "r"))
        #expect([cache, file, journal].map(\.code) == [1_103, 1_104, 1_105])
        let names = try [cache, file, journal].map { error in
            let data = try #require(error.data)
            return try JSONDocument(parsing: data.bytes).root.object().required("name").string()
        }
        #expect(names == ["cacheInsertion", "fileNotWritten", "journalUnavailable"])
    }

    @Test("what a cached list does not contain is not reported as a cached version")
    func missingInCache() throws {
        func failure(_ error: Failure?, _ warning: String?) -> RPCError? {
            let provenance = Provenance(source: .cache, serverError: error, warning: warning)
            do throws(RPCError) {
                try LoadReply.requireCurrent(provenance)
                return nil
            } catch {
                return error
            }
        }
        let slow = try #require(failure(nil, "no response; this is the cached version"))
        let failing = try #require(failure(.unavailable(reason: "503", retryAfterSeconds: 7), nil))
        for error in [slow, failing] {
            #expect(error.code == 1_004 && error.message.contains("list does not contain this"))
            #expect(!error.message.contains("is cached") && !error.message.contains("version"))
        }
        #expect(failing.message.hasSuffix(": 503"))
        #expect(failing.data?.description.contains(#""retryAfterSeconds":7"#) == true)
        #expect(failure(nil, nil) == nil)
    }

    private let time = AppointmentTime(
        instant: Timestamp(secondsSince1970: 1_729_423_499),
        offsetMinutes: 120
    )

    private func data(_ error: Failure) throws -> JSONObject {
        try JSONDocument(parsing: try #require(RPCError(error).data).bytes).root.object()
    }

    @Test("the error of a customer with too many appointments has the limit, if it is known")
    func limit() throws {
        let error = Failure.tooManyAppointments(reason: "the server's words", limit: 2)
        let failure = RPCError(error)
        #expect(failure.code == 1_218 && failure.message.hasSuffix(": the server's words"))
        #expect(try data(error).required("limit").integer() == 2)
        #expect(try data(error).required("retryable").bool() == false)
        let unknown = Failure.tooManyAppointments(reason: "r", limit: nil)
        #expect(try data(unknown)["limit"] == nil)
    }

    @Test("every error about a time that cannot be booked has alternatives")
    func alternatives() throws {
        let errors: [(Failure, Int)] = [
            (.slotUnavailable(alternatives: [time]), 1_202),
            (.outsideOpeningHours([], reason: "r", alternatives: [time]), 1_203),
            (.notBookable(rule: "offGrid", reason: "r", alternatives: [time]), 1_210),
        ]
        for (error, code) in errors {
            let failure = RPCError(error)
            #expect(
                failure.code == code && failure.message.hasSuffix("choose one of the alternatives")
            )
            let times = try data(error).required("alternatives").array().map { try $0.string() }
            #expect(times == ["2024-10-20T13:24:59+02:00"])
        }
        let none = Failure.outsideOpeningHours([], reason: "r")
        #expect(RPCError(none).message == "The salon is closed then: r")
        #expect(try data(none).required("alternatives").array().count == 0)
    }

    @Test("a slot that the caller has already booked is reported with that booking")
    func ownBooking() throws {
        var own = OwnBooking(
            appointment: Appointment(
                booking: BookingRequest(
                    salonID: SalonID(high: 0, low: 1),
                    time: time,
                    phone: "12345"
                ),
                id: "a1",
                version: 2
            ),
            key: "k"
        )
        let error = Failure.slotUnavailable(alternatives: [], ownBooking: own)
        #expect(RPCError(error).message.contains("you have already booked this time"))
        let encoded = try data(error).required("ownBooking")
        #expect(
            JSONFragment { $0.value(encoded) }.description
                == #"{"id":"a1","version":2,"appointmentTime":"2024-10-20T13:24:59+0200","#
                + #""idempotencyKey":"k"}"#
        )
        (own.key, own.appointment.id, own.appointment.version) = (nil, nil, nil)
        let sparse = try data(.slotUnavailable(alternatives: [], ownBooking: own))
        #expect(try sparse.required("ownBooking").object().count == 1)
        #expect(try data(.slotUnavailable(alternatives: []))["ownBooking"] == nil)
    }

    @Test("a path that may not be written is an invalid parameter, not a failed write")
    func rejectedPath() {
        let error = #expect(throws: RPCError.self) {
            try FileTarget(
                "a.png",
                mayOverwrite: false,
                protecting: ProtectedFiles(files: [])
            )
        }
        #expect(error?.code == -32_602)
    }
}
