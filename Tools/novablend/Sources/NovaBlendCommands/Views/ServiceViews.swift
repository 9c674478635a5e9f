import CommandLineKit
import Domain
import NovaBlendMethods

/// Shows the services or the staff of a salon.
enum ServiceViews {
    @Sendable static func services(_ reply: ServicesReply, _ context: ViewContext) async -> Report {
        let cached = await context.cachedSalon(reply.salon.id)
        let table = services(reply.services, at: cached) { reply.staff(offering: $0).map(\.id) }
        return report(table, "services", of: reply.salon, reply.provenance)
    }

    @Sendable static func staff(_ reply: StaffReply, _ context: ViewContext) async -> Report {
        let table = staff(reply.staff, at: await context.cachedSalon(reply.salon.id))
        return report(table, "staff", of: reply.salon, reply.provenance)
    }

    /// A table of services. `staff` returns the ids of those who offer a service.
    static func services(
        _ services: [Service],
        at salon: FoundSalon?,
        staff: (Service) -> [String] = { _ in [] }
    ) -> TextTable {
        var table = TextTable([
            .init("SERVICE", isFlexible: true), .init("MINUTES"),
            .init("BUFFERS", isOptional: true), .init("PRICE", isOptional: true),
            .init("STAFF", isFlexible: true, isOptional: true), .init("ID"),
        ])
        for service in services {
            table.add([
                service.name, String(service.minutes), buffers(of: service),
                service.price?.description, names(of: staff(service), among: salon?.staff),
                service.id,
            ])
        }
        return table
    }

    static func staff(_ staff: [StaffMember], at salon: FoundSalon?) -> TextTable {
        var table = TextTable([
            .init("STAFF", isFlexible: true),
            .init("SERVICES", isFlexible: true, isOptional: true),
            .init("HOURS", isFlexible: true, isOptional: true), .init("ID"),
        ])
        for member in staff {
            table.add([
                member.name, names(of: member.services ?? [], among: salon?.services),
                member.weekly?.description, member.id,
            ])
        }
        return table
    }

    private static func report(
        _ table: TextTable,
        _ kind: String,
        of salon: Salon,
        _ provenance: Provenance
    ) -> Report {
        Report(
            table,
            empty: "\(salon.name) lists no \(kind)",
            notes: ResultNotes.provenance(provenance)
        )
    }

    private static func buffers(of service: Service) -> String? {
        let parts = [
            service.bufferBefore > 0 ? "\(service.bufferBefore) before" : nil,
            service.bufferAfter > 0 ? "\(service.bufferAfter) after" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The names of the members with these ids, or `all`; nil if `ids` is empty.
    private static func names(of ids: [String], among members: [SalonMember]?) -> String? {
        if ids.isEmpty { return nil }
        if ids.count == members?.count { return "all" }
        let names = ids.map { id in members?.first { $0.id == id }?.name ?? id }
        return names.joined(separator: ", ")
    }
}
