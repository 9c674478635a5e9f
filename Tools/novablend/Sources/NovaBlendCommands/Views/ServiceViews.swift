import CommandLineKit
import Contract
import Domain
import JSON

/// Shows the services or the staff of a salon.
enum ServiceViews {
    @Sendable static func services(_ context: ViewContext) async -> Report {
        let listed = context.result.objects("services")
        let table = services(listed, at: await context.cachedSalon())
        return report(table, "services", context.result)
    }

    @Sendable static func staff(_ context: ViewContext) async -> Report {
        let listed = context.result.objects("staff")
        let table = staff(listed, at: await context.cachedSalon())
        return report(table, "staff", context.result)
    }

    static func services(_ services: [JSONObject], at salon: FoundSalon?) -> TextTable {
        var table = TextTable([
            .init("SERVICE", isFlexible: true), .init("MINUTES"),
            .init("BUFFERS", isOptional: true), .init("PRICE", isOptional: true),
            .init("STAFF", isFlexible: true, isOptional: true), .init("ID"),
        ])
        for service in services {
            table.add([
                service.text("name"), service.integer("minutes").map(String.init),
                buffers(of: service), service.child("price")?.text("text"),
                names(of: service.texts("staffIds"), among: salon?.staff), service.text("id"),
            ])
        }
        return table
    }

    static func staff(_ staff: [JSONObject], at salon: FoundSalon?) -> TextTable {
        var table = TextTable([
            .init("STAFF", isFlexible: true),
            .init("SERVICES", isFlexible: true, isOptional: true),
            .init("HOURS", isFlexible: true, isOptional: true), .init("ID"),
        ])
        for member in staff {
            let hours = member["weekly"].flatMap { try? WeeklyHoursCodec.read($0) }
            table.add([
                member.text("name"), names(of: member.texts("services"), among: salon?.services),
                hours?.description, member.text("id"),
            ])
        }
        return table
    }

    private static func report(_ table: TextTable, _ kind: String, _ result: JSONObject) -> Report {
        let name = result.child("salon")?.text("name") ?? "the salon"
        return Report(
            table,
            empty: "\(name) lists no \(kind)",
            notes: ResultNotes.provenance(of: result)
        )
    }

    private static func buffers(of service: JSONObject) -> String? {
        let parts = [
            service.integer("buffer_before").map { "\($0) before" },
            service.integer("buffer_after").map { "\($0) after" },
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
