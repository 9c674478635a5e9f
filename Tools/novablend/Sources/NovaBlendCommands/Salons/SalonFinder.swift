import CommandLineKit
import JSON
import JSONRPC
import NovaBlendEngine

/// Finds a salon by its id, or by text that matches only one salon, as `salons/get` does.
struct SalonFinder: Sendable {
    let invoker: MethodInvoker

    /// Throws `notFound`, or `usage` with the candidates if several salons match.
    func find(_ typed: String) async throws(CommandError) -> FoundSalon {
        if Self.isIdentifier(typed) {
            let salon = try? await salon(typed, policy: "cacheFirst")
            return salon ?? FoundSalon(id: typed.lowercased())
        }
        if let salon = try? await salon(typed, policy: "cacheFirst") { return salon }
        // The salon may be newer than the cached list, so ask the server, too.
        do throws(CommandError) {
            return try await salon(typed, policy: "serverFirst")
        } catch {
            throw Self.explain(error, typed)
        }
    }

    /// The id of the service or staff member that `typed` names. If the salon is not known, `typed`
    /// must be an id, which the method checks.
    func id(
        _ typed: String,
        in members: (FoundSalon) -> [SalonMember]?,
        _ kind: String,
        of salon: FoundSalon?
    ) async throws(CommandError) -> String {
        guard let salon, let known = members(salon) else { return typed }
        let name = salon.name ?? salon.id
        do throws(CommandError) {
            return try SalonMember.find(typed, among: known, kind, of: name).id
        } catch {
            // The salon may have changed since it was cached.
            let latest = try? await self.salon(salon.id, policy: "serverFirst")
            guard let current = latest.flatMap(members), current != known else { throw error }
            return try SalonMember.find(typed, among: current, kind, of: name).id
        }
    }

    private func salon(
        _ typed: String,
        policy: String
    ) async throws(CommandError) -> FoundSalon {
        var params = Parameters()
        params.set("id", typed)
        params.set("policy", policy)
        let result = try await invoker.call("salons/get", params).object
        guard let salon = result.child("salon") else { return FoundSalon(id: typed) }
        return FoundSalon(salon)
    }

    /// Replaces the error for zero or several matching salons with one for the command line.
    private static func explain(_ error: CommandError, _ typed: String) -> CommandError {
        let data = (error.underlyingError as? RPCError)?.dataObject
        guard let matches = data?.integer("matches") else { return error }
        if matches == 0 {
            return CommandError(.salonNotFound("There is no salon \(SafeText.line(typed))"))
        }
        let candidates = (data?.objects("salons") ?? []).map(FoundSalon.init)
        return CommandError(
            .usage,
            "\(matches) salons match \(SafeText.line(typed))",
            note: "nothing was changed",
            suggestions: candidates.map { "\($0.id)  \($0.title)" }
        )
    }

    private static func isIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}
