package import Contract
package import Domain
package import JSON
package import JSONRPC

/// The methods about the services and the staff of a salon.
package struct ServiceMethods {
    private let makeLoader: @Sendable () -> ResourceLoader<EncodedList<SalonListCodec>>

    /// - Parameter loader: Makes the loader when a method is called, as in ``SalonMethods``.
    package init(
        _ loader:
            @escaping @autoclosure @Sendable () -> ResourceLoader<
                EncodedList<SalonListCodec>
            >
    ) { makeLoader = loader }

    package static let services: MethodName<ServicesReply> = "services/list"
    package static let staff: MethodName<StaffReply> = "staff/list"

    package var all: [Method] { [services, staff] }

    private var services: Method {
        method(
            Self.services,
            "Lists a salon's services, with their prices and who offers them.",
            title: "List services",
            filter: BookingOptionParameters.staff("only services that this staff member offers"),
            result: .init(
                "services",
                "the services of the salon, and its provenance",
                schema: ServicesReply.schema
            ),
            example: #"{"salonId": "\#(ExampleID.salon)"}"#
        ) { salon, id, provenance in
            let offering = try id.map { try Self.member($0, of: salon) }
            return ServicesReply(
                salon: salon,
                services: salon.services.filter { offering?.offers($0.id) ?? true },
                provenance: provenance
            )
        }
    }

    private var staff: Method {
        method(
            Self.staff,
            "Lists a salon's staff, with their services and working hours.",
            title: "List staff",
            filter: BookingOptionParameters.service("only staff who offer this service"),
            result: .init(
                "staff",
                "the staff of the salon, and its provenance",
                schema: StaffReply.schema
            ),
            example: #"{"salonId": "\#(ExampleID.staffedSalon)", "serviceId": "color"}"#
        ) { salon, id, provenance in
            let service = try id.map { try Self.service($0, of: salon) }
            let members = salon.staff.filter { $0.offers(service?.id) }.map { member in
                var member = member
                member.services = salon.services.map(\.id).filter { member.offers($0) }
                return member
            }
            return StaffReply(salon: salon, staff: members, provenance: provenance)
        }
    }

    private func method<R: Reply>(
        _ name: MethodName<R>,
        _ summary: String,
        title: String,
        filter: @escaping @autoclosure @Sendable () -> Method.Parameter,
        result: @escaping @autoclosure @Sendable () -> Method.Result,
        example: String,
        reply: @escaping @Sendable (Salon, String?, Provenance) throws -> R
    ) -> Method {
        Method(
            name,
            summary,
            title: title,
            parameters: [SalonReference.parameter(isRequired: true), filter(), LoadReply.policy],
            result: result(),
            data: DataAccess(reads: [SalonListCodec.name]),
            errors: [.salonNotFound],
            example: example,
            appUse: .callable
        ) { [makeLoader] call in
            let reference = try SalonReference.read(call.params)
            let id = try BookingOptionParameters.id(filter().name, in: call.params)
            let loaded = try await LoadReply.load(makeLoader(), call)
            let salon = try SalonMethods.salon(reference, loaded, parameter: "salonId")
            return try reply(salon, id, loaded.provenance)
        }
    }

    private static func service(_ id: String, of salon: Salon) throws(RPCError) -> Service {
        if let service = salon.service(id) { return service }
        throw unknown("serviceId", salon.services.map(\.id), "services", salon)
    }

    private static func member(_ id: String, of salon: Salon) throws(RPCError) -> StaffMember {
        if let member = salon.member(id) { return member }
        throw unknown("staffId", salon.staff.map(\.id), "staff", salon)
    }

    private static func unknown(
        _ parameter: String,
        _ known: [String],
        _ kind: String,
        _ salon: Salon
    ) -> RPCError {
        let problem =
            known.isEmpty
            ? "cannot be chosen, because \(salon.name) lists no \(kind)"
            : "must be one of \(known.joined(separator: ", "))"
        return .invalidParams("\"\(parameter)\" \(problem)", parameter: parameter)
    }
}

/// The services of a salon.
package struct ServicesReply: Reply {
    static let schema = ObjectSchema([
        .init("salon", .object(NamedSalon.schema)),
        .init("services", .array(of: .object(service))), Schemas.provenance,
    ])

    private static let service = ObjectSchema(
        Schemas.service.properties + [
            .optional(
                "staffIds",
                .array(of: .string),
                "who offers it; absent if the salon lists no staff"
            )
        ]
    ).named("ListedService")

    package let salon: Salon
    package let services: [Service]
    package let provenance: Provenance

    /// The staff members who offer a service; empty if the salon lists no staff.
    package func staff(offering service: Service) -> [StaffMember] {
        salon.staff.filter { $0.offers(service.id) }
    }

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.member("salon", salon.named)
            writer.array("services") { writer in
                for service in services { writer.raw(fragment(service)) }
            }
            LoadReply.write(provenance, to: &writer)
        }
    }

    private func fragment(_ service: Service) -> JSONFragment {
        let plain = ServiceView.fragment(service)
        if salon.staff.isEmpty { return plain }
        let ids = JSONFragment(strings: staff(offering: service).map(\.id))
        return plain.addingMember("staffIds", ids)
    }
}

/// The staff of a salon. Each member's services are those that the salon lists.
package struct StaffReply: Reply {
    static let schema = ObjectSchema([
        .init("salon", .object(NamedSalon.schema)),
        .init("staff", .array(of: .object(staffMember))), Schemas.provenance,
    ])

    private static let staffMember = ObjectSchema(
        Schemas.staffMember.properties + [
            .init("hours", .string, "the weekly working hours as text")
        ]
    ).named("ListedStaffMember")

    package let salon: Salon
    package let staff: [StaffMember]
    package let provenance: Provenance

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.member("salon", salon.named)
            writer.array("staff") { writer in
                for member in staff {
                    let hours = member.weekly?.description ?? salon.hoursText
                    writer.raw(
                        JSONFragment { StaffMemberCodec.write(member, to: &$0) }
                            .addingMember("hours", JSONFragment { $0.string(hours) })
                    )
                }
            }
            LoadReply.write(provenance, to: &writer)
        }
    }
}
