package import Contract
package import Domain
import JSON
package import JSONRPC

/// The methods about the services and the staff of a salon.
package struct ServiceMethods {
    private let loader: ResourceLoader<EncodedList<SalonListCodec>>

    package init(_ loader: ResourceLoader<EncodedList<SalonListCodec>>) { self.loader = loader }

    package static let services = "services/list"
    package static let staff = "staff/list"

    package var all: [Method] { [services, staff] }

    private var services: Method {
        method(
            Self.services,
            "Lists a salon's services, with their prices and who offers them.",
            title: "List services",
            filter: BookingOptionParameters.staff("only services that this staff member offers"),
            schema: Self.service,
            example: #"{"salonId": "\#(ExampleID.salon)"}"#
        ) { salon, id throws(RPCError) in
            let offering = try id.map { id throws(RPCError) in try Self.member(id, of: salon) }
            return salon.services.filter { offering?.offers($0.id) ?? true }.map { service in
                let plain = ServiceView.fragment(service)
                if salon.staff.isEmpty { return plain }
                let staff = salon.staff.filter { $0.offers(service.id) }.map(\.id)
                return plain.addingMember("staffIds", JSONFragment(strings: staff))
            }
        }
    }

    private var staff: Method {
        method(
            Self.staff,
            "Lists a salon's staff, with their services and working hours.",
            title: "List staff",
            filter: BookingOptionParameters.service("only staff who offer this service"),
            schema: Self.staffMember,
            example: #"{"salonId": "\#(ExampleID.staffedSalon)", "serviceId": "color"}"#
        ) { salon, id throws(RPCError) in
            let service = try id.map { id throws(RPCError) in try Self.service(id, of: salon) }
            return salon.staff.filter { $0.offers(service?.id) }.map { member in
                var member = member
                let hours = member.weekly?.description ?? salon.hoursText
                member.services = salon.services.map(\.id).filter { member.offers($0) }
                return JSONFragment { StaffMemberCodec.write(member, to: &$0) }
                    .addingMember("hours", JSONFragment { $0.string(hours) })
            }
        }
    }

    private func method(
        _ name: String,
        _ summary: String,
        title: String,
        filter: @escaping @autoclosure @Sendable () -> Method.Parameter,
        schema: @escaping @autoclosure @Sendable () -> ObjectSchema,
        example: String,
        elements: @escaping @Sendable (Salon, String?) throws(RPCError) -> [JSONFragment]
    ) -> Method {
        let key = String(name.dropLast("/list".count))
        return Method(
            name,
            summary,
            title: title,
            parameters: [SalonReference.parameter(isRequired: true), filter(), LoadReply.policy],
            result: .init(
                key,
                "the \(key) of the salon, and its provenance",
                [
                    .init("salon", .object(NamedSalon.schema)),
                    .init(key, .array(of: .object(schema()))), Schemas.provenance,
                ]
            ),
            data: DataAccess(reads: ["salons"]),
            errors: [.salonNotFound],
            example: example,
            appUse: .callable
        ) { [loader] call throws(RPCError) in
            let reference = try SalonReference.read(call.params)
            let id = try BookingOptionParameters.id(filter().name, in: call.params)
            let loaded = try await LoadReply.load(loader, call)
            let salon = try SalonMethods.salon(reference, loaded, parameter: "salonId")
            let elements = try elements(salon, id)
            return ObjectFragment { writer in
                writer.member("salon", salon.named)
                writer.key(key)
                writer.array { writer in for element in elements { writer.raw(element) } }
                LoadReply.write(loaded.provenance, to: &writer)
            }
        }
    }
}

extension ServiceMethods {
    private static let service = ObjectSchema(
        Schemas.service.properties + [
            .optional(
                "staffIds",
                .array(of: .string),
                "who offers it; absent if the salon lists no staff"
            )
        ]
    ).named("ListedService")

    private static let staffMember = ObjectSchema(
        Schemas.staffMember.properties + [
            .init("hours", .string, "the weekly working hours as text")
        ]
    ).named("ListedStaffMember")

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
