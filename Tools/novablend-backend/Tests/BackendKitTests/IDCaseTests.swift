import BackendKit
import Contract
import Domain
import DomainTestSupport
import Testing

@Suite("Ids that are UUIDs", .timeLimit(.minutes(10)))
struct IDCaseTests {
    private static let service = "5E44C1CE-0000-4000-8000-00000000000A"
    private static let member = "57AFF000-0000-4000-8000-00000000000B"

    /// A salon whose service and staff member have ids in upper case.
    private static func set(_ salon: inout Salon) {
        salon.services = [Service(id: service, name: "Cut", minutes: 30)]
        salon.staff = [StaffMember(id: member, name: "Ana", services: [service.lowercased()])]
    }

    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    private func time(_ minutes: Int) throws -> AppointmentTime {
        try AlwaysOpenBackend.time(minutes)
    }

    /// The text in upper case, and with its letters in turn in upper and in lower case.
    private static func otherCases(_ id: String) -> [String] {
        let mixed = id.enumerated().map { $0 % 2 == 0 ? $1.uppercased() : $1.lowercased() }
        return [id.uppercased(), mixed.joined()]
    }

    @Test("of an appointment match in any case, in each request that has one")
    func appointment() throws {
        let booked = try server.book(try time(600))
        let id = try #require(booked.id)
        #expect(id == id.lowercased())
        for other in Self.otherCases(id) {
            #expect(server.get(other)?.status == 200)
            #expect(try #require(server.get(other)).appointment().id == id)
            // The time of the appointment itself counts as free.
            let query = "&appointmentId=\(other)"
            let slots = try server.slots(from: try time(600), minutes: 30, query)
            #expect(slots.map(\.free) == [1])
        }
        let upper = id.uppercased()
        let moved = try #require(server.patch(upper, to: try time(660), key: "move"))
        #expect(try moved.appointment().id == id)
        // A repeated request is the same one, whatever the case.
        let repeated = try #require(server.patch(id, to: try time(660), key: "move"))
        #expect(repeated.status == 200 && repeated.body == moved.body)
        #expect(server.delete(upper, key: "cancel")?.status == 200)
        #expect(server.delete(id, key: "cancel")?.status == 200)
        #expect(try server.appointments().map(\.id) == [id])
    }

    @Test("of a hold match in any case, when it is booked and when it is released")
    func hold() throws {
        let first = try #require(server.hold(try time(600))).hold()
        let booked = server.post(try time(600), holdID: first.id.uppercased())
        #expect(booked?.status == 201, "\(String(describing: booked))")
        let second = try #require(server.hold(try time(660))).hold()
        #expect(server.release(second.id.uppercased())?.status == 204)
        #expect(server.post(try time(660), phone: "67890")?.status == 201)
    }

    @Test("of services and staff members match in any case, and are returned in lower case")
    func options() throws {
        let salon = AlwaysOpenBackend.salon(Self.set)
        let stored = try #require(server.put(salon))
        #expect(stored.status == 200, "\(stored)")
        let (service, member) = (Self.service.lowercased(), Self.member.lowercased())
        let read = try #require(exchange(server.port, "GET /salons/\(salon.id)"))
        for response in [stored, read] {
            let salon = try SalonCodec.decode(Array(response.body.utf8))
            #expect(salon.services.map(\.id) == [service] && salon.staff.map(\.id) == [member])
            #expect(salon.staff.map(\.services) == [[service]])
        }
        for (index, id) in (Self.otherCases(service) + [service]).enumerated() {
            let staffID = Self.otherCases(member)[index % 2]
            let options = BookingOptions(serviceID: id, staffID: staffID)
            let booked = try server.book(try time(600 + 60 * index), options)
            #expect(booked.booking.options == BookingOptions(serviceID: service, staffID: member))
            let query = "&serviceId=\(id)&staffId=\(staffID)"
            let slots = try server.slots(from: try time(1_200), minutes: 30, query)
            #expect(slots.map(\.free) == [1])
            let change =
                #"{"appointmentTime":"\#(ISO8601.format(try time(900 + 60 * index)))","#
                + #""serviceId":"\#(id)","staffId":"\#(staffID)"}"#
            let moved = try #require(server.send("PATCH", booked.id, "*", nil, change))
            #expect(moved.status == 200, "\(moved)")
            #expect(try moved.appointment().booking.options == booked.booking.options)
        }
    }

    @Test("may not occur twice in a salon in different cases")
    func duplicates() throws {
        for isStaff in [false, true] {
            let salon = AlwaysOpenBackend.salon { salon in
                Self.set(&salon)
                if isStaff {
                    salon.staff.append(StaffMember(id: Self.member.lowercased(), name: "Ben"))
                } else {
                    let id = Self.service.lowercased()
                    salon.services.append(Service(id: id, name: "Color", minutes: 30))
                }
            }
            let response = try #require(server.put(salon))
            #expect(response.status == 422)
            let path = isStaff ? "staff" : "services"
            #expect(try response.message().contains("\(path)[1].id must not be that of \(path)[0]"))
        }
    }

    @Test("differ from other texts, whose case matters")
    func texts() throws {
        let salon = AlwaysOpenBackend.salon {
            $0.services = [
                Service(id: "cut", name: "Cut", minutes: 30),
                Service(id: "CUT", name: "Long Cut", minutes: 60),
            ]
        }
        #expect(server.put(salon)?.status == 200)
        for (index, id) in ["cut", "CUT"].enumerated() {
            let options = BookingOptions(serviceID: id)
            let booked = try server.book(try time(600 + 60 * index), options)
            #expect(booked.booking.options.serviceID == id)
        }
        let unknown = server.post(try time(900), BookingOptions(serviceID: "Cut"))
        #expect(unknown?.status == 422)
    }
}
