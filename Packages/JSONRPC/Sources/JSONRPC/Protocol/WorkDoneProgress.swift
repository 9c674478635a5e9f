import JSON

/// `$/progress` for callers that send a `workDoneToken` (LSP 3.17, "Work Done Progress").
struct WorkDoneProgress: ProgressFormat {
    static let method = "$/progress"

    private let token: JSONFragment

    init?(params: JSONObject) {
        guard let token = params["workDoneToken"].flatMap(Self.token) else { return nil }
        self.token = token
    }

    func params(for step: ProgressStep) -> JSONFragment {
        params { writer in
            writer.member("kind", step.number == 1 ? "begin" : "report")
            if step.number == 1 { writer.member("title", step.title) }
            writer.member("message", step.message)
            writer.member("percentage", step.percentage)
        }
    }

    var endParams: JSONFragment? {
        params { $0.member("kind", "end") }
    }

    private func params(_ writeValue: (inout JSONWriter) -> Void) -> JSONFragment {
        .object { writer in
            writer.member("token", token)
            writer.object("value", writeValue)
        }
    }
}
