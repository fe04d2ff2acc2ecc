-- Ranks of the competitors by their URL as sent. Null: searched and not ranked; a missing URL: not searched. Ranks by
-- position would belong to others when the competitors of a query change. The column `rivals` stays for one release,
-- because workers of 0.1.0 write it until they restart. The subquery groups by account, so that each node of a Citus
-- cluster converts its own rows.
alter table points add column rival_ranks json;
update points set rival_ranks = converted.ranks
from (
  select points.account_id, points.subject_id, first_at,
    json_object_agg(url, rivals[place] order by place) as ranks
  from points
  join subjects on subjects.account_id = points.account_id and subjects.subject_id = points.subject_id
  cross join lateral json_array_elements_text(input->'competitor_urls') with ordinality as named (url, place)
  where place <= cardinality(rivals)
  group by points.account_id, points.subject_id, first_at) as converted
where points.account_id = converted.account_id and points.subject_id = converted.subject_id
  and points.first_at = converted.first_at;
