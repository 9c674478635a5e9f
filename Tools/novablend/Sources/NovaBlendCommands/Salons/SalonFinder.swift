import CommandLineKit
import JSON
import JSONRPC
import NovaBlendEngine

/// Finds a salon by its id, by its name, or by text that only its name or place contains.
struct SalonFinder: Sendable {
    let invoker: MethodInvoker

    /// Throws `notFound`, or `usage` with the candidates if several salons match.
    func find(_ typed: String) async throws(CommandError) -> FoundSalon {
        if Self.isIdentifier(typed) { return await salon(withID: typed.lowercased()) }
        for policy in ["cacheFirst", "serverFirst"] {
            let result = try await list(typed, policy)
            let salons = result.objects("salons").map(FoundSalon.init)
            if let salon = try choose(typed, among: salons) { return salon }
            let provenance = result.child("provenance")
            if let reason = provenance?.text("serverError") ?? provenance?.text("warning") {
                throw CommandError(
                    .serverNotReached("The salon \(SafeText.line(typed)) is not cached: \(reason)")
                )
            }
            // It may be newer than the cached list.
            if provenance?.text("source") != "cache" { break }
        }
        throw CommandError(.salonNotFound("There is no salon \(SafeText.line(typed))"))
    }

    private func salon(withID id: String) async -> FoundSalon {
        var params = Parameters()
        params.set("policy", "cacheFirst")
        let salons = try? await invoker.call("salons/list", params).object.objects("salons")
        return salons?.first { $0.text("id") == id }.map(FoundSalon.init) ?? FoundSalon(id: id)
    }

    private func list(
        _ typed: String,
        _ policy: String
    ) async throws(CommandError) -> JSONObject {
        var params = Parameters()
        params.set("query", typed)
        params.set("policy", policy)
        return try await invoker.call("salons/list", params).object
    }

    private func choose(
        _ typed: String,
        among found: [FoundSalon]
    ) throws(CommandError) -> FoundSalon? {
        if found.count <= 1 { return found.first }
        let sameName = found.filter { $0.name?.lowercased() == typed.lowercased() }
        if sameName.count == 1 { return sameName.first }
        throw CommandError(
            .usage,
            "\(found.count) salons match \(SafeText.line(typed))",
            note: "nothing was changed",
            suggestions: found.prefix(10).map { "\($0.id)  \($0.title)" }
        )
    }

    private static func isIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}
