import JSONRPC
import MCP
import NovaBlendApps
import NovaBlendMethods

extension Method.App {
    fileprivate var uri: String {
        switch self {
        case .week: "ui://novablend/week"
        }
    }

    var resource: Resource {
        switch self {
        case .week:
            .app(
                uri,
                name: "week",
                title: "Free times of a week",
                description: "Shows a salon's free times by service and staff, to hold and book."
            ) { String(cString: novablend_week_page()) }
        }
    }
}

extension Tool.AppUse {
    init(_ use: Method.AppUse) {
        self =
            switch use {
            case .none: .none
            case .callable: .callable
            case .shown(let app): .shown(uri: app.uri)
            }
    }
}
