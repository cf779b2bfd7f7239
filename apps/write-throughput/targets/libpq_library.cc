#include "apps/write-throughput/targets/libpq_library.h"

#include <fmt/format.h>

namespace throughput {

Expected<> LibpqLibrary::Load(const std::string& name) {
  if (auto opened = library.Open(name); !opened) return opened;
  FunctionFinder find(library);
  find("PQlibVersion", lib_version);
  find("PQconninfoParse", conninfo_parse);
  find("PQconninfoFree", conninfo_free);
  find("PQfreemem", freemem);
  find("PQconnectStartParams", connect_start);
  find("PQconnectPoll", connect_poll);
  find("PQstatus", status);
  find("PQfinish", finish);
  find("PQerrorMessage", error_message);
  find("PQsocket", socket);
  find("PQbackendPID", backend_pid);
  find("PQhost", host);
  find("PQport", port);
  find("PQdb", database);
  find("PQsetnonblocking", set_nonblocking);
  find("PQsetNoticeReceiver", set_notice_receiver);
  find("PQsendQuery", send_query);
  find("PQsendQueryParams", send_query_params);
  find("PQsendPrepare", send_prepare);
  find("PQsendQueryPrepared", send_query_prepared);
  find("PQputCopyData", put_copy_data);
  find("PQputCopyEnd", put_copy_end);
  find("PQenterPipelineMode", enter_pipeline_mode);
  find("PQpipelineSync", pipeline_sync);
  find("PQflush", flush);
  find("PQconsumeInput", consume_input);
  find("PQisBusy", is_busy);
  find("PQgetResult", get_result);
  find("PQclear", clear);
  find("PQresultStatus", result_status);
  find("PQresultErrorField", result_error_field);
  find("PQcmdStatus", cmd_status);
  find("PQntuples", ntuples);
  find("PQnfields", nfields);
  find("PQgetvalue", get_value);
  find("PQgetlength", get_length);
  return find.found();
}

std::string LibpqLibrary::Version() const {
  constexpr int kMajor = 10'000;
  const int version = lib_version();
  return fmt::format("{}.{}", version / kMajor, version % kMajor);
}

}  // namespace throughput
