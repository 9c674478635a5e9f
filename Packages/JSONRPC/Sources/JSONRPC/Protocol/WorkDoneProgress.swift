import JSON

/// `$/progress` for callers that send a `workDoneToken` (LSP 3.17, "Work Done Progress").
struct WorkDoneProgress: ProgressFormat {
    static let method = "$/progress"

    private let token: JSONFragment

    init?(params: JSONObject) {
        guard let token = params["workDoneToken"].flatMap(Self.token) else { return nil }
        self.token = token
    }

    func notification(for step: ProgressStep) -> OutgoingNotification {
        notification { writer in
            writer.member("kind", step.number == 1 ? "begin" : "report")
            if step.number == 1 { writer.member("title", step.title) }
            writer.member("message", step.message)
            writer.member("percentage", step.percentage)
        }
    }

    func end() -> OutgoingNotification? {
        notification { $0.member("kind", "end") }
    }

    private func notification(_ writeValue: (inout JSONWriter) -> Void) -> OutgoingNotification {
        let params = JSONFragment.object { writer in
            writer.member("token", token)
            writer.object("value") { writeValue(&$0) }
        }
        return OutgoingNotification(Self.method, params)
    }
}
