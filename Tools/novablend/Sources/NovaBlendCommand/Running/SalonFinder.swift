import JSON
import JSONRPC
import NovaBlendEngine

/// Finds a salon by its id, by its name, or by what no other salon's name or place contains.
struct SalonFinder: Sendable {
    let conversation: Conversation

    /// Throws `notFound`, or `usage` with the candidates where there are several.
    func find(_ typed: String) async throws(CommandFailure) -> FoundSalon {
        if Self.isIdentifier(typed) { return await known(typed.lowercased()) }
        for policy in ["cacheFirst", "remoteFirst"] {
            let answer = try await list(typed, policy)
            let salons = answer.objects("salons").map(FoundSalon.init)
            if let salon = try choose(typed, among: salons) { return salon }
            let provenance = answer.child("provenance")
            if let reason = provenance?.text("remoteError") ?? provenance?.text("warning") {
                throw CommandFailure(
                    .serverNotReached("The salon \(SafeText.line(typed)) is not cached: \(reason)")
                )
            }
            // It may be new since the list was cached.
            if provenance?.text("source") != "cache" { break }
        }
        throw CommandFailure(.salonNotFound("There is no salon \(SafeText.line(typed))"))
    }

    private func known(_ id: String) async -> FoundSalon {
        var params = Parameters()
        params.set("policy", "cacheFirst")
        let salons = try? await conversation.call("salons/list", params).object.objects("salons")
        return salons?.first { $0.text("id") == id }.map(FoundSalon.init) ?? FoundSalon(id: id)
    }

    private func list(_ typed: String, _ policy: String) async throws(CommandFailure) -> JSONObject
    {
        var params = Parameters()
        params.set("query", typed)
        params.set("policy", policy)
        return try await conversation.call("salons/list", params).object
    }

    private func choose(_ typed: String, among found: [FoundSalon]) throws(CommandFailure)
        -> FoundSalon?
    {
        if found.count <= 1 { return found.first }
        let same = found.filter { $0.name?.lowercased() == typed.lowercased() }
        if same.count == 1 { return same.first }
        throw CommandFailure(
            .usage,
            "\(found.count) salons match \(SafeText.line(typed))",
            kept: "nothing was changed",
            tries: found.prefix(10).map { "\($0.id)  \($0.title)" }
        )
    }

    private static func isIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}
