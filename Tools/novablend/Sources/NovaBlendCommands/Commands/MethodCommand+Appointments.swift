import CommandLineKit
import Contract
import NovaBlendMethods

extension MethodCommand {
    static let appointments = MethodCommand(
        name: AppointmentListCodec.name,
        summary: "list appointments",
        details: [
            "With --ical, appointments are printed as a calendar (RFC 5545), or written to a file, "
                + "without phone numbers and email addresses. Without --status, it includes what was "
                + "cancelled in the last 30 days, so that a calendar program removes it."
        ],
        inputs: [
            .option(
                "salon",
                .salonWords,
                "only appointments at the salons with these words in the name, the place, or an alias"
            ),
            .option(
                "staff",
                .text("NAME"),
                sets: "staffId",
                "only appointments with this staff member: the id, or words in the name"
            ),
            .option(
                "phone",
                .text("PHONE"),
                "only appointments of the phone number with these last digits, at least 4"
            ),
            .option(
                "start",
                .startTime,
                "only appointments at or after this time; a day means its beginning"
            ),
            .option("end", .endTime, "only appointments before this time; a day means its end"),
            .day,
            .option(
                "status",
                .choice(["booked", "cancelled", "all"]),
                "only appointments with this status"
            ),
            .limit, .cursor, .fields, .policy,
            .calendarFile, .reminder,
            .flag("overwrite", sets: "overwrite", "replace an existing file"),
            .dryRun,
        ],
        examples: [
            .init("novablend appointments --start today", "from today on"),
            .init("novablend appointments --phone 1020 --staff Ana", "of a customer, with Ana"),
            .init("novablend appointments --day friday", "on a day"),
            .init(
                "novablend appointments --ical=salon.ics --remind 1d",
                "for a calendar program, with reminders a day before"
            ),
        ],
        call: .init(AppointmentMethods.list, view: AppointmentViews.list),
        otherCalls: [
            .init(AppointmentMethods.export, view: AppointmentViews.calendar) {
                $0[.calendarFile] != nil
            }
        ],
        prepare: { invocation, times, params throws(CommandError) in
            guard let day = invocation[.day] else { return }
            try SlotRange.setDay(day, invocation, times, &params)
        }
    )
}

extension MethodInput {
    static let calendarFile = option(
        "ical",
        .file,
        isValueOptional: true,
        sets: "file",
        "print a calendar, or write it to FILE"
    )
    static let reminder = option(
        "remind",
        .text("DURATION"),
        "with --ical, add a reminder before each appointment, such as 30m, 2h, or 1d"
    )
}
