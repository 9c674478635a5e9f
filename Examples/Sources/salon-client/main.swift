// Lists salons, books the first free time of tomorrow, shows the appointment, and tries to book the same
// time for someone else.
//
// usage: salon-client [PROGRAM [ARGUMENT...]]
//
// The default is `novablend serve --sandbox`, which runs a temporary server with sample salons.
import CivilTime
import Glibc
import JSONRPC

func bookTomorrow(with service: SalonService) async throws(RPCError) {
    let salons = try await service.salons()
    for salon in salons { print("salon: \(salon.name), \(salon.location)") }

    let today = LocalTime(Timestamp(secondsSince1970: Int64(time(nil))), offsetSeconds: 0).date
    let tomorrow = today.advanced(byDays: 1).description
    guard let salon = salons.first,
        let time = try await service.freeTimes(ofSalon: salon.id, on: tomorrow).first
    else { return print("no time is free tomorrow") }

    let booked = try await service.book(
        .init(
            salonId: salon.id,
            appointmentTime: time,
            phone: "+49 30 1234567",
            idempotencyKey: "a"
        )
    )
    print("booked: \(booked.appointmentTime)")
    for appointment in try await service.appointments() where appointment.id == booked.id {
        print("listed: \(appointment.appointmentTime)")
    }

    do throws(RPCError) {
        _ = try await service.book(
            .init(
                salonId: salon.id,
                appointmentTime: time,
                phone: "+49 30 765",
                idempotencyKey: "b"
            )
        )
    } catch {
        guard let details = SalonService.ErrorDetails(error), details.name == "slotUnavailable"
        else { throw error }
        for time in details.alternatives ?? [] { print("still free: \(time)") }
    }
}

func fail(_ message: String) -> Never {
    let line = "salon-client: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

do {
    let words = Array(CommandLine.arguments.dropFirst())
    let novablend = try ServerProcess(words.isEmpty ? ["novablend", "serve", "--sandbox"] : words) {
        Connection(over: $0, framing: .lines)
    }
    do {
        try await bookTomorrow(with: SalonService(peer: novablend.connection.peer))
    } catch {
        await novablend.stop()
        throw error
    }
    exit(await novablend.stop() == .exited(code: 0) ? 0 : 1)
} catch let error as RPCError {
    fail("\(error.message) (\(error.code))")
} catch {
    fail("\(error)")
}
