import JSON

/// The description of the routes in a table: https://spec.openapis.org/oas/v3.1.1
struct OpenAPIDocument: Sendable {
    /// The document without `servers`.
    private let fragment: JSONFragment

    init(of table: RouteTable) {
        var components = SchemaComponents()
        let paths = table.paths.map { path in
            (path.template.description, Self.fragment(of: path, &components))
        }
        fragment =
            ObjectFragment { writer in
                writer.member("openapi", "3.1.1")
                writer.object("info") { writer in
                    writer.member("title", "NovaBlend")
                    writer.member("summary", "Salons, their free times, and bookings.")
                    writer.member("version", "1.0.0")
                }
                writer.object("paths") { writer in
                    for (template, path) in paths { writer.member(named: template, path) }
                }
                writer.object("components") { writer in
                    writer.member("schemas", components.fragment)
                    writer.object("securitySchemes") { $0.member(Self.tokenScheme, Self.scheme) }
                }
            }.fragment
    }

    /// The name of the only security scheme.
    static let tokenScheme: StaticString = "token"

    private static let scheme = ObjectFragment { writer in
        writer.member("type", "http")
        writer.member("scheme", "bearer")
        writer.member(
            "description",
            "A token that novablend-backend tokens create has printed. It is required as soon "
                + "as the database has one."
        )
    }

    /// The document for clients that reach the backend at `baseURL`.
    func bytes(baseURL: String) -> [UInt8] {
        let servers = JSONFragment { writer in
            writer.array { $0.object { $0.member("url", baseURL) } }
        }
        return fragment.addingMember("servers", servers).bytes
    }

    private static func fragment(
        of path: RouteTable.Path,
        _ components: inout SchemaComponents
    ) -> JSONFragment {
        ObjectFragment { writer in
            for route in path.routes {
                writer.member(named: route.method.lowercased(), route.describe(&components))
            }
        }.fragment
    }
}
