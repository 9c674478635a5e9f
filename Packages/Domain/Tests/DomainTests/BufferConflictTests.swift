import Domain
import DomainTestSupport
import Testing

@Suite("A buffer that is in the way")
struct BufferConflictTests {
    /// Ana's color from 10:00 to 11:00, with buffers of 10 and 20 minutes.
    private func color(staff: String? = "ana", seats: Int = 1) -> Appointment {
        let options = BookingOptions(serviceID: "color", staffID: staff, seats: seats)
        let time = AppointmentTime(instant: StaffedSalon.at(10))
        let salonID = Samples.salonID()
        return Appointment(
            booking: BookingRequest(
                salonID: salonID,
                time: time,
                phone: "030 1234567",
                options: options
            )
        )
    }

    private func reasons(
        _ service: String?,
        _ hour: Int64,
        _ minute: Int64,
        at salon: Salon = StaffedSalon.salon(StaffedSalon.ana, StaffedSalon.ben),
        booked: [Appointment]? = nil
    ) throws -> [String] {
        let schedule = salon.schedule
        let requirement = try schedule.requirement(for: BookingOptions(serviceID: service))
        let start = StaffedSalon.at(hour, minute)
        return schedule.bufferConflicts(for: requirement, at: start, among: booked ?? [color()]).map
        {
            "\($0.staffID ?? "seat"): " + $0.reason(at: schedule.clock.time(at: start))
        }
    }

    @Test("is named with its side, its minutes, and the appointment")
    func sides() throws {
        let appointment = "the appointment from 10:00 to 11:00"
        let cases: [(String?, Int64, Int64, [String])] = [
            ("cut", 11, 0, ["ana: \(appointment) needs 20 minutes after it"]),
            ("cut", 11, 20, []),
            ("cut", 9, 25, ["ana: \(appointment) needs 10 minutes before it"]),
            ("cut", 9, 20, []),
            // Someone is booked at the time itself.
            ("cut", 10, 30, []), ("cut", 9, 45, []),
            (
                "color", 11, 25,
                [
                    "ana: \(appointment) needs 20 minutes after it, and the requested service "
                        + "10 minutes before it"
                ]
            ),
            ("color", 11, 30, []),
        ]
        for (service, hour, minute, expected) in cases {
            #expect(try reasons(service, hour, minute) == expected, "\(hour):\(minute)")
        }
        let plain = Appointment(
            booking: BookingRequest(
                salonID: Samples.salonID(),
                time: AppointmentTime(instant: StaffedSalon.at(10)),
                phone: "030 1234567",
                options: BookingOptions(staffID: "ana")
            )
        )
        let tooClose =
            "ana: the requested service needs 10 minutes before it, and the appointment from 10:00 to "
            + "10:30 is too close"
        #expect(try reasons("color", 10, 35, booked: [plain]) == [tooClose])
        var salon = StaffedSalon.salon(StaffedSalon.ana)
        salon.slotMinutes = nil
        // Its end is not known.
        let start = tooClose.replacing("from 10:00 to 10:30", with: "at 10:00")
        #expect(try reasons("color", 10, 35, at: salon, booked: [plain]) == [start])
    }

    @Test("counts at a salon with seats only if enough seats are free at the time itself")
    func seats() throws {
        var salon = StaffedSalon.salon()
        let expected = ["seat: the appointment from 10:00 to 11:00 needs 20 minutes after it"]
        let booked = [color(staff: nil)]
        #expect(try reasons("cut", 11, 0, at: salon, booked: booked) == expected)
        salon.seats = 2
        let two = [color(staff: nil, seats: 2)]
        #expect(try reasons("cut", 11, 0, at: salon, booked: two) == expected)
        #expect(try reasons("cut", 10, 30, at: salon, booked: two) == [])
    }

    @Test("is a part of the explanation, and so are the caller's own booking and hold")
    func explained() async throws {
        let salon = StaffedSalon.salon(StaffedSalon.ana)
        let holds = OwnHolds()
        let journal = InMemoryBookingJournal()
        func explanation(
            _ hour: Int64,
            _ offered: OfferedSlots = .unsupported
        ) async throws -> Availability.Explanation {
            let useCase = ListSlots(
                server: SlotSourceStub(.success(offered)),
                appointments: .success([color()]),
                journal: journal,
                ownHolds: holds,
                salons: SalonDirectoryStub(.known(salon))
            )
            let time = AppointmentTime(instant: StaffedSalon.at(hour))
            let request = ListSlots.Request(
                salonID: salon.id,
                options: BookingOptions(serviceID: "cut"),
                explain: .wallClock(time)
            )
            return try #require(try await useCase.list(request).explanation)
        }
        let found = try await explanation(11)
        #expect(found.rule == .taken && found.buffers.map(\.bookedMinutes) == [20])
        #expect(try await explanation(10).buffers.isEmpty)
        #expect(try await explanation(12).buffers.isEmpty)
        let request = BookingRequest(
            salonID: salon.id,
            time: AppointmentTime(instant: StaffedSalon.at(12)),
            phone: "030 1234567",
            options: BookingOptions(serviceID: "cut", staffID: "ana")
        )
        let end = Timestamp(secondsSince1970: .max)
        holds.add(OwnHold(Hold(id: "h", expiresAt: end), of: request, end: end))
        // The server lists no slot at this time. Only Ana could take it, and she is held.
        let own = try await explanation(12, .slots(SlotList([])))
        #expect(own.rule == .taken && own.ownHold?.id == "h")
        holds.end("h")
        #expect(try await explanation(12, .slots(SlotList([]))).verdict == .unknown)
    }
}
