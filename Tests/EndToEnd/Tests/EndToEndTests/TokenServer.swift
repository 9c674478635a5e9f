import Foundation
import Synchronization

/// A server with empty lists that accepts one token.
final class TokenServer: Sendable {
    private struct State {
        var accepted: String
        var tokens: [String?] = []
    }

    private let state: Mutex<State>
    private let server = Mutex<ScriptedServer?>(nil)

    /// Accepts only `token`. Other requests get the status `rejection`.
    init(accepting token: String, rejection: String = "401 Unauthorized") throws {
        state = Mutex(State(accepted: token))
        let server = try ScriptedServer { [weak self] connection in
            guard let self, isAccepted(connection.request) else { return .reply(rejection, "{}") }
            return Self.response(to: connection.request)
        }
        self.server.withLock { $0 = server }
    }

    var url: String { server.withLock { $0?.url ?? "" } }

    /// The tokens of all requests so far, in the order of arrival; nil for a request without a
    /// token.
    var tokens: [String?] { state.withLock(\.tokens) }

    func accept(_ token: String) { state.withLock { $0.accepted = token } }

    private func isAccepted(_ request: String) -> Bool {
        let name = "authorization: bearer "
        let line = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name) }
        let token = line.map { String($0.dropFirst(name.count)) }
        return state.withLock { state in
            state.tokens.append(token)
            return token == state.accepted
        }
    }

    private static func response(to request: String) -> ScriptedServer.Response {
        let path = request.split(separator: " ").dropFirst().first ?? ""
        let name = path.dropFirst().prefix { $0 != "?" }
        let list = ["salons", "appointments"].contains(name) ? name : "items"
        return .reply("200 OK", #"{"\#(list)":[]}"#)
    }
}
